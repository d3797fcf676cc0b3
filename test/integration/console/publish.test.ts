import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { serveBundle } from '@milepost/http/bundle';
import { createLogger } from '@milepost/service';
import fastify from 'fastify';
import { expect, it, vi } from 'vitest';
import { EXPLORE_FOLDER, OPERATE_FOLDER } from '../../../apps/console/bundles.ts';
import { publish } from '../../../apps/console/publish.ts';
import { openFolder, perTest } from '../../support/fixtures.ts';

const CONSOLE = join(import.meta.dirname, '../../../apps/console');

const folder = perTest(openFolder);

async function build(version: string, assets: readonly string[]): Promise<string> {
  const built = join(folder.path, `built-${version}`);
  await mkdir(join(built, 'assets'), { recursive: true });
  await writeFile(join(built, 'index.html'), version);
  for (const asset of assets) await writeFile(join(built, 'assets', asset), version);
  return built;
}

it('a bundle is replaced as a whole, its page and all its assets, and stays complete if the new page is missing', async () => {
  const target = join(folder.path, 'explore');
  const page = async () => await readFile(join(target, 'index.html'), 'utf8');
  const assets = async () => (await readdir(join(target, 'assets'))).sort();
  expect(existsSync(target)).toBe(false);
  publish(await build('one', ['kept-1.js', 'old-1.js', 'old-1.js.br']), target);
  expect([await page(), await assets()]).toEqual(['one', ['kept-1.js', 'old-1.js', 'old-1.js.br']]);
  publish(await build('two', ['kept-1.js', 'new-2.js']), target);
  expect([await page(), await assets()]).toEqual(['two', ['kept-1.js', 'new-2.js']]);
  expect(await readFile(join(target, 'assets', 'kept-1.js'), 'utf8')).toBe('two');
  const pageless = await build('three', ['new-3.js']);
  await rm(join(pageless, 'index.html'));
  expect(() => publish(pageless, target)).toThrow('ENOENT');
  expect([await page(), await assets()]).toEqual(['two', ['kept-1.js', 'new-2.js', 'new-3.js']]);
});

it('a server starts without a bundle that has not been built, logs a warning, and answers 404 for its pages', async () => {
  const app = fastify();
  const logger = createLogger('api', 'silent');
  const warn = vi.spyOn(logger, 'warn');
  await serveBundle(app, { name: 'Explore', folder: join(folder.path, 'explore'), path: '/explore' }, logger);
  expect(warn).toHaveBeenCalledOnce();
  expect((await app.inject('/explore/')).statusCode).toBe(404);
});

it.each([EXPLORE_FOLDER, OPERATE_FOLDER])(
  'each text file in the bundle has two compressed copies: %s',
  async (bundle) => {
    const assets = join(bundle, 'assets');
    const names = await readdir(assets);
    const texts = names.filter((name) => /\.(js|css|svg)$/.test(name));
    expect(texts.map((name) => name.split('.').at(-1))).toEqual(expect.arrayContaining(['js', 'css', 'svg']));
    for (const name of texts) {
      const content = await readFile(join(assets, name));
      expect(gunzipSync(await readFile(join(assets, `${name}.gz`))).equals(content), name).toBe(true);
      expect(brotliDecompressSync(await readFile(join(assets, `${name}.br`))).equals(content), name).toBe(true);
    }
    const copies = texts.flatMap((name) => [`${name}.br`, `${name}.gz`]);
    expect(names.filter((name) => /\.(br|gz)$/.test(name)).sort()).toEqual(copies.sort());
  },
);

it('an install without development dependencies keeps existing pages, or reports that they are missing', async () => {
  for (const file of ['prepare.ts', 'bundles.ts', 'package.json'])
    await cp(join(CONSOLE, file), join(folder.path, file));
  const prepare = () => {
    const { status, stderr } = spawnSync(process.execPath, ['prepare.ts'], { cwd: folder.path, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    return stderr;
  };
  expect(prepare()).toContain('the pages of Explore and Operate have not been built');
  for (const bundle of ['explore', 'operate']) {
    await mkdir(join(folder.path, 'dist', bundle), { recursive: true });
    await writeFile(join(folder.path, 'dist', bundle, 'index.html'), '');
  }
  expect(prepare()).toContain('remain unchanged');
});
