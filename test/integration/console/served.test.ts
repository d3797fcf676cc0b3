import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXPLORE_FOLDER, OPERATE_FOLDER } from '../../../apps/console/bundles.ts';
import { problemOf } from '../../support/answers.ts';
import { perSuite } from '../../support/fixtures.ts';
import { openOps, opsProblem } from '../../support/ops.ts';
import { describeWithWorld } from '../../support/world.ts';

const KIB = 1024;

describeWithWorld('the pages', (world) => {
  const ops = perSuite(() => openOps());

  // `root` is the server's root relative to the page, and `maxBytes` limits the total size of the scripts.
  const explore = {
    get: async (path: string, headers = {}) => await world.get(path, { key: null, headers }),
    page: '/explore/',
    root: '../',
    folder: EXPLORE_FOLDER,
    maxBytes: 150 * KIB,
  };
  const operate = {
    get: async (path: string, headers = {}) => await ops.ask(path, { token: null, headers }),
    page: '/',
    root: './',
    folder: OPERATE_FOLDER,
    maxBytes: 100 * KIB,
  };

  describe.each([
    ['Explore', explore],
    ['Operate', operate],
  ])('of %s', (_name, { get, page, root, folder, maxBytes }) => {
    it('need no key, are revalidated with every request, and may load nothing from other origins', async () => {
      const { statusCode, headers, body } = await get(page);
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; " +
          "form-action 'none'; frame-ancestors 'none'",
      });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(body).not.toMatch(/<script>|<style|style=|https?:/);
      expect(body).toContain(`<meta name="milepost-root" content="${root}">\n</head>`);
    });

    it('use assets whose names contain content hashes, which are cached for a year and sent compressed', async () => {
      const { body } = await get(page);
      const names = Array.from(body.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g), ([, name]) => name);
      expect(names.length).toBeGreaterThanOrEqual(3);
      for (const name of names) {
        expect(name).toMatch(/-[\w-]{8}\.(js|css|svg)$/);
        for (const [encoding, ending] of [
          ['br', 'br'],
          ['gzip', 'gz'],
        ] as const) {
          const { statusCode, headers } = await get(`${page}${name}`, { 'accept-encoding': encoding });
          expect([statusCode, headers['content-encoding']]).toEqual([200, encoding]);
          expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
          expect(headers).toHaveProperty('content-security-policy');
          expect((await get(`${page}${name}.${ending}`)).statusCode).toBe(404);
        }
        expect((await get(`${page}${name}`)).headers).not.toHaveProperty('content-encoding');
      }
    });

    it('are production builds with at most 60 kB of script for the first view, and a limit for the rest', async () => {
      const [, first = ''] = /src="\.\/assets\/([^"]+\.js)"/.exec((await get(page)).body) ?? [];
      const assets = join(folder, 'assets');
      const size = (name: string) => statSync(join(assets, `${name}.gz`)).size;
      expect(size(first)).toBeLessThan(60 * KIB);
      const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
      for (const name of scripts) expect(readFileSync(join(assets, name), 'utf8')).not.toContain(process.cwd());
      expect(scripts.reduce((sum, name) => sum + size(name), 0)).toBeLessThan(maxBytes);
    });
  });

  it('leave every other path unchanged', async () => {
    for (const path of ['/explore/nothing', '/explore/assets/', '/explore/assets/..%2findex.html']) {
      problemOf(await explore.get(path), 404, 'not_found');
    }
    problemOf(await world.api.inject({ method: 'POST', url: '/explore/' }), 405, 'method_not_allowed');
    opsProblem(await operate.get('/assets/..%2findex.html'), 404, 'not_found');
    opsProblem(await operate.get('/keys'), 401, 'unauthorized');
    opsProblem(await ops.ask('/', { method: 'POST' }), 405, 'method_not_allowed');
  });

  it('of Explore can be reached through a redirect from the address without the trailing slash', async () => {
    const { statusCode, headers } = await explore.get('/explore');
    expect([statusCode, headers['location']]).toEqual([308, './explore/']);
  });

  it('of Explore use the configured base map, and the content security policy allows its origin', async () => {
    const mapTiles = { address: 'https://tiles.example.org/{z}/{x}/{y}.png?a="b', attribution: '© <Example> & "$&"' };
    const api = await world.buildApi({ mapTiles });
    const { headers, body } = await api.inject('/explore/');
    expect(headers['content-security-policy']).toContain("img-src 'self' https://tiles.example.org;");
    expect(body).toContain('content="https://tiles.example.org/{z}/{x}/{y}.png?a=&quot;b"');
    expect(body).toContain('content="© &lt;Example&gt; &amp; &quot;$&amp;&quot;"');
  });
});
