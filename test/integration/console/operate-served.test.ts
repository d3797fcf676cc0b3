import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATE_FOLDER } from '../../../apps/console/bundles.ts';
import { type OpsWorld, openOps, opsProblem } from '../../support/ops.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const ASSETS = join(OPERATE_FOLDER, 'assets');
const KIB = 1024;

describeWithPostgres("Operate's pages", () => {
  let world: OpsWorld;
  const get = async (path: string, headers: Record<string, string> = {}) =>
    await world.ask(path, { token: null, headers });

  beforeAll(async () => {
    world = await openOps();
  });
  afterAll(async () => await world?.close());

  it('need no token, are revalidated with every request, and may load nothing from other origins', async () => {
    const { statusCode, headers, body } = await get('/');
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'",
    });
    expect(body).not.toMatch(/<script>|<style|style=|https?:/);
  });

  it('have assets that have content hashes in their names, are cached for a year and are sent compressed', async () => {
    const names = Array.from((await get('/')).body.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g), ([, name]) => name);
    expect(names.length).toBeGreaterThanOrEqual(3);
    for (const name of names) {
      const { statusCode, headers } = await get(`/${name}`, { 'accept-encoding': 'br' });
      expect([statusCode, headers['content-encoding']]).toEqual([200, 'br']);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });

  it('leave every other path unchanged', async () => {
    opsProblem(await get('/nothing'), 404, 'not_found');
    opsProblem(await get('/assets/..%2findex.html'), 404, 'not_found');
    opsProblem(await get('/keys'), 401, 'unauthorized');
    opsProblem(await world.ask('/', { method: 'POST' }), 405, 'method_not_allowed');
  });

  it('are production builds with at most 60 kB of script for the first view, 100 kB with charts', async () => {
    const [, first = ''] = /src="\.\/assets\/([^"]+\.js)"/.exec((await get('/')).body) ?? [];
    const size = (name: string) => statSync(join(ASSETS, `${name}.gz`)).size;
    expect(size(first)).toBeLessThan(60 * KIB);
    const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'));
    expect(scripts.length).toBeGreaterThanOrEqual(2);
    for (const name of scripts) expect(readFileSync(join(ASSETS, name), 'utf8')).not.toContain(process.cwd());
    expect(scripts.reduce((sum, name) => sum + size(name), 0)).toBeLessThan(100 * KIB);
  });
});
