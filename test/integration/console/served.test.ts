import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXPLORE_FOLDER } from '../../../apps/console/bundles.ts';
import { problemOf } from '../../support/answers.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld, type World } from '../../support/world.ts';

const ASSETS = join(EXPLORE_FOLDER, 'assets');
const KIB = 1024;

describeWithPostgres("Explore's pages", () => {
  let world: World;
  const get = async (path: string, headers: Record<string, string> = {}) =>
    await world.get(path, { key: null, headers });

  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(async () => await world?.close());

  it('need no key, are revalidated with every request, and may load nothing from other origins', async () => {
    const { statusCode, headers, body } = await get('/explore/');
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
  });

  it('are reached through a redirect from the address without the trailing slash', async () => {
    const { statusCode, headers } = await get('/explore');
    expect([statusCode, headers['location']]).toEqual([308, './explore/']);
  });

  it('have assets that have content hashes in their names, are cached for a year and are sent compressed', async () => {
    const { body } = await get('/explore/');
    const names = Array.from(body.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g), ([, name]) => name);
    expect(names.length).toBeGreaterThanOrEqual(3);
    for (const name of names) {
      expect(name).toMatch(/-[\w-]{8}\.(js|css|svg)$/);
      const { statusCode, headers } = await get(`/explore/${name}`, { 'accept-encoding': 'br' });
      expect([statusCode, headers['content-encoding']]).toEqual([200, 'br']);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers).toHaveProperty('content-security-policy');
    }
  });

  it('leave every other path unchanged', async () => {
    problemOf(await get('/explore/nothing'), 404, 'not_found');
    problemOf(await get('/explore/assets/'), 404, 'not_found');
    problemOf(await get('/explore/assets/..%2findex.html'), 404, 'not_found');
    const post = await world.api.inject({ method: 'POST', url: '/explore/' });
    problemOf(post, 405, 'method_not_allowed');
  });

  it('have the base map of the setting, and the content security policy allows its origin', async () => {
    const mapTiles = { address: 'https://tiles.example.org/{z}/{x}/{y}.png?a="b', attribution: '© <Example> & "Co"' };
    const api = await world.buildApi({ mapTiles });
    const { headers, body } = await api.inject('/explore/');
    expect(headers['content-security-policy']).toContain("img-src 'self' https://tiles.example.org;");
    expect(body).toContain('content="https://tiles.example.org/{z}/{x}/{y}.png?a=&quot;b"');
    expect(body).toContain('content="© &lt;Example&gt; &amp; &quot;Co&quot;"');
  });

  it('are production builds with at most 60 kB of script for the first view, 150 kB in all', async () => {
    const { body } = await get('/explore/');
    const [, first = ''] = /src="\.\/assets\/([^"]+\.js)"/.exec(body) ?? [];
    const size = (name: string) => statSync(join(ASSETS, `${name}.gz`)).size;
    expect(size(first)).toBeLessThan(60 * KIB);
    const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'));
    expect(scripts.length).toBeGreaterThanOrEqual(3);
    for (const name of scripts) expect(readFileSync(join(ASSETS, name), 'utf8')).not.toContain(process.cwd());
    expect(scripts.reduce((sum, name) => sum + size(name), 0)).toBeLessThan(150 * KIB);
  });
});
