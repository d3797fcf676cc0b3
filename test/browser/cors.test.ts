import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { type ExploreWorld, openExplore } from '../support/console/explore.ts';

/** Starts a server of empty pages, and returns it with its origin. */
async function startPages(): Promise<{ server: Server; origin: string }> {
  const server = createServer((_request, response) => void response.end('<!doctype html><title>Fleet</title>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { server, origin: `http://127.0.0.1:${port}` };
}

describeWithBrowser('the API, called by a page of another origin', () => {
  let allowed: Awaited<ReturnType<typeof startPages>>;
  let other: Awaited<ReturnType<typeof startPages>>;
  let explore: ExploreWorld;

  beforeAll(async () => {
    allowed = await startPages();
    other = await startPages();
    explore = await openExplore({ corsOrigins: [allowed.origin] });
  });
  afterAll(async () => {
    await explore?.close();
    for (const pages of [allowed, other]) pages?.server.close();
  });

  /** Returns status and readable headers of a response, or the name of the error, as a script of the origin sees it. */
  async function call(origin: string, key: string) {
    const page = await explore.browser.newPage();
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
      [explore.origin, key] as const,
    );
    await page.close();
    return seen;
  }

  it('answers an allowed origin, whose script can read the headers of the interface', async () => {
    const names = ['etag', 'milepost-lag-seconds', 'milepost-position', 'ratelimit-remaining', 'x-request-id'];
    expect(await call(allowed.origin, explore.key)).toMatchObject({
      status: 200,
      names: expect.arrayContaining(names),
      code: null,
    });
  });

  it('shows a script of an allowed origin the reason for a refusal', async () => {
    expect(await call(allowed.origin, 'mp_wrong')).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('lets no other origin read a response', async () => {
    expect(await call(other.origin, explore.key)).toBe('TypeError');
  });

  it('answers methods and unknown paths as without CORS', async () => {
    const status = async (path: string, method: string) => (await fetch(explore.origin + path, { method })).status;
    expect(await status('/api/v1/drivers', 'OPTIONS')).toBe(405);
    expect(await status('/api/v1/drivers', 'POST')).toBe(405);
    expect(await status('/nothing', 'GET')).toBe(404);
    expect(await status('/nothing', 'POST')).toBe(404);
  });
});
