import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { writeClient } from '../../deploy/package/client.ts';
import { describeWithBrowser } from '../support/console/browser.ts';
import { it } from '../support/console/explore.ts';
import { openFolder, perSuite } from '../support/fixtures.ts';
import { serveLocally } from '../support/listen.ts';
import { ROOT } from '../support/milepost.ts';

/** Starts a server for empty pages and the scripts in a folder. */
async function startPages(scripts: string) {
  return await serveLocally(async ({ url = '' }, response) => {
    if (!url.endsWith('.js')) return response.end('<!doctype html><title>Fleet</title>');
    response.setHeader('content-type', 'text/javascript');
    return response.end(await readFile(join(scripts, basename(url))));
  });
}

describeWithBrowser('the API, called by a page from another origin,', () => {
  const scripts = perSuite(openFolder);
  const allowed = perSuite(() => startPages(scripts.path));
  const other = perSuite(() => startPages(scripts.path));
  let api: string;

  it.beforeAll(async ({ explore }) => {
    writeClient(ROOT, scripts.path);
    api = await explore.serve({ corsOrigins: [allowed.origin] });
  });

  /** Returns a response's status and readable headers as a script from the origin sees them, or the error's name. */
  async function call(browser: Browser, origin: string, key: string) {
    const page = await browser.newPage();
    await page.goto(origin);
    const seen = await page.evaluate(
      async ([url, apiKey]) => {
        const headers = { authorization: `APIKEY ${apiKey}`, 'content-type': 'application/json' };
        try {
          const response = await fetch(`${url}/api/v1/drivers`, { headers });
          const body = JSON.parse(await response.text());
          return { status: response.status, names: [...response.headers.keys()], code: body.code ?? null };
        } catch (error) {
          return error instanceof Error ? error.name : String(error);
        }
      },
      [api, key] as const,
    );
    await page.close();
    return seen;
  }

  it('serves an allowed origin, whose scripts can read the headers and the reason for a refusal', async ({
    browser,
    explore,
  }) => {
    const names = ['etag', 'milepost-lag-seconds', 'milepost-position', 'ratelimit-remaining', 'x-request-id'];
    expect(await call(browser, allowed.origin, explore.key)).toMatchObject({
      status: 200,
      names: expect.arrayContaining(names),
    });
    expect(await call(browser, allowed.origin, 'mp_wrong')).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(await call(browser, other.origin, explore.key)).toBe('TypeError');
  });

  it('serves the client in a page from an allowed origin, and confirms an unchanged response', async ({
    browser,
    explore,
  }) => {
    const page = await browser.newPage();
    await page.goto(allowed.origin);
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/drivers')) statuses.push(response.status());
    });
    // The code is a string, because Vitest would replace `import` in code.
    const ids: string[] = await page.evaluate(`import('/index.js').then(async ({ MilepostClient }) => {
      const milepost = new MilepostClient(${JSON.stringify({ baseUrl: api, key: explore.key })});
      const found = [];
      for (let round = 0; round < 2; round += 1) {
        for await (const { driver_id } of milepost.drivers()) found.push(driver_id);
      }
      return found;
    })`);
    await page.close();
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.slice(ids.length / 2)).toEqual(ids.slice(0, ids.length / 2));
    expect(statuses).toEqual([200, 304]);
  });

  it('responds to other methods and unknown paths as it does without CORS', async () => {
    const status = async (path: string, method: string) => (await fetch(api + path, { method })).status;
    expect(await status('/api/v1/drivers', 'OPTIONS')).toBe(405);
    expect(await status('/api/v1/drivers', 'POST')).toBe(405);
    expect(await status('/nothing', 'GET')).toBe(404);
    expect(await status('/nothing', 'POST')).toBe(404);
  });
});
