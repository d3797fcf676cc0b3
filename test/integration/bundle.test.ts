import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { hasBundle, serveBundle } from '../../packages/platform/http/bundle.ts';
import { openFolder, untilTestEnds } from '../support/fixtures.ts';

async function makeBundle(): Promise<string> {
  const folder = untilTestEnds(await openFolder()).path;
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<html><head><title>x</title></head><body></body></html>');
  await writeFile(join(folder, 'assets', 'main.js'), 'plain');
  await writeFile(join(folder, 'assets', 'main.js.gz'), 'compressed');
  return folder;
}

async function serve(options: Omit<Parameters<typeof serveBundle>[1], 'folder'>) {
  const app = untilTestEnds(fastify());
  await serveBundle(app, { folder: await makeBundle(), ...options });
  return app;
}

it('a folder is a bundle once it contains a page', async () => {
  const folder = await makeBundle();
  expect(hasBundle(folder)).toBe(true);
  expect(hasBundle(join(folder, 'assets'))).toBe(false);
});

it("a page under a path contains the server's root and settings, as escaped text", async () => {
  const settings = { tiles: 'https://a.org/{z}?a=1&b="$&<x>"' };
  const app = await serve({ path: '/explore', settings, imageOrigins: ['https://a.org'] });
  const { body, headers } = await app.inject('/explore/');
  expect(body).toContain('<meta name="milepost-root" content="../">');
  const escaped = 'https://a.org/{z}?a=1&amp;b=&quot;$&amp;&lt;x&gt;&quot;';
  expect(body).toContain(`<meta name="milepost-tiles" content="${escaped}">\n</head>`);
  expect(headers['cache-control']).toBe('no-cache');
  expect(String(headers['content-security-policy']).split('; ')).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "img-src 'self' https://a.org"]),
  );
  const redirect = await app.inject('/explore');
  expect([redirect.statusCode, redirect.headers.location]).toEqual([308, './explore/']);
});

it("the page at the server's root refers to its own folder", async () => {
  const app = await serve({ path: '' });
  const { body, headers } = await app.inject('/');
  expect(body).toContain('<meta name="milepost-root" content="./">\n</head>');
  expect(headers['content-security-policy']).toContain("img-src 'self';");
});

it('browsers keep assets for a year, compressed if they accept it', async () => {
  const app = await serve({ path: '/explore' });
  const url = '/explore/assets/main.js';
  const plain = await app.inject(url);
  expect(plain.body).toBe('plain');
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(plain.headers['content-security-policy']).toContain("default-src 'none'");
  const compressed = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
  expect([compressed.body, compressed.headers['content-encoding']]).toEqual(['compressed', 'gzip']);
  expect((await app.inject('/explore/assets/main.js.gz')).statusCode).toBe(404);
});
