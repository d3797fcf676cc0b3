import { beforeAll, expect, it } from 'vitest';
import { perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { send } from '../../support/http.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { addressOf, metricsUrl, scrape } from '../../support/metrics.ts';
import { Processes } from '../../support/processes.ts';
import { needs } from '../../support/programs.ts';
import { driverProfile } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld } from '../../support/world.ts';

const CONCURRENCY = 10;
const RATE_LIMIT = 20;
const DRIVERS = '/api/v1/drivers';

describeWithPostgres("the API process's metrics", () => {
  const world = perSuite(createWorld);
  beforeAll(async () => await world.take([driverProfile()]));

  /** Returns processes that are ended with the test. */
  const processesWith = (settings: Record<string, string>) =>
    untilTestEnds(new Processes({ DATABASE_URL: world.url, PORT: '0', SHUTDOWN_DELAY_SECONDS: '0', ...settings }));

  /** Starts the process. Resolves with the URLs of the API and of its metrics. */
  async function start(settings: Record<string, string> = {}) {
    const api = processesWith({ METRICS_PORT: '0', ...settings }).start('api');
    return { metrics: await metricsUrl(api), origin: await addressOf(api) };
  }

  it(
    'count requests by route and status, admissions, refusals and requests beyond the rate limit',
    needs('promtool'),
    async () => {
      const { metrics, origin } = await start({ RATE_LIMIT_PER_MINUTE: String(RATE_LIMIT) });
      const headers = { authorization: `APIKEY ${await world.createKey('acme')}`, 'content-type': 'application/json' };
      const ask = async (path: string, own: Record<string, string> = headers) =>
        (await send(origin, { path, headers: own })).statusCode;
      expect(await ask(DRIVERS)).toBe(200);
      expect(await ask(`${DRIVERS}?limit=0`)).toBe(400);
      expect(await ask(DRIVERS, {})).toBe(401);
      expect(await ask('/api/v1/trip/trip_id/a%2Fb')).toBe(404);
      expect(await ask('/unknown/path')).toBe(404);
      expect(await ask('/%zz')).toBe(400);

      // Ten requests are waiting for the table, so the eleventh waits for admission until it is refused.
      await whileLocked(
        world.pool,
        'LOCK TABLE drivers_1 IN ACCESS EXCLUSIVE MODE',
        async () => {
          await lockWaiters(world.pool, CONCURRENCY);
          const refused = ask(DRIVERS);
          await expect.poll(async () => (await scrape(metrics)).sum('milepost_http_requests_waiting')).toBe(1);
          expect(await refused).toBe(503);
          const busy = await scrape(metrics);
          expect(busy.sum('milepost_http_requests_running')).toBe(CONCURRENCY);
          expect(busy.sum('milepost_http_requests_waiting')).toBe(0);
          expect(busy.sum('milepost_database_connections', { pool: 'lanes', state: 'used' })).toBeGreaterThanOrEqual(
            CONCURRENCY,
          );
        },
        async () => await Promise.all(Array.from({ length: CONCURRENCY }, async () => await ask(DRIVERS))),
      );
      // Three requests with a key have been counted, and so have these ten. Refused requests are not counted.
      for (let counted = 3 + CONCURRENCY; counted < RATE_LIMIT; counted += 1) expect(await ask(DRIVERS)).toBe(200);
      expect(await ask(DRIVERS)).toBe(429);
      expect(await ask(DRIVERS)).toBe(429);

      const figures = await scrape(metrics);
      const requests = (route: string, ...statuses: number[]) =>
        statuses.map((status) => figures.sum('milepost_http_request_duration_seconds_count', { route, status }));
      expect(requests(DRIVERS, 200, 400, 401, 503, 429)).toEqual([1 + RATE_LIMIT - 3, 1, 1, 1, 2]);
      expect(requests('/api/v1/trip/trip_id/:trip_id', 404)).toEqual([1]);
      expect(requests('none', 404, 400)).toEqual([1, 1]);
      expect(
        figures.sum('milepost_http_request_duration_seconds_sum', { route: DRIVERS, status: 503 }),
      ).toBeGreaterThan(0.2);
      expect(figures.sum('milepost_http_requests_rate_limited_total')).toBe(2);
      expect(figures.sum('milepost_http_requests_refused_total')).toBe(1);
      // Keys are checked only after admission, so the request without a key is also admitted.
      expect(figures.sum('milepost_http_requests_admitted_total')).toBe(RATE_LIMIT + 1 + 2);
      expect(figures.sum('milepost_http_requests_running')).toBe(0);
      expect(figures.sum('milepost_http_requests_running_limit')).toBe(CONCURRENCY);
      expect(figures.sum('milepost_database_connections_limit', { pool: 'lanes' })).toBe(CONCURRENCY + 1);
      expect(figures.sum('milepost_database_connections_limit', { pool: 'directory' })).toBe(2);
      expect(figures.sum('milepost_database_callers_waiting', { pool: 'lanes' })).toBe(0);
      for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'])
        expect(figures.sum(name)).toBeGreaterThan(0);
      expect(figures.text).not.toMatch(/acme|a%2Fb|a\/b/);
      expect(figures.complaints()).toBe('');
    },
  );

  it('are served only on their own port, at one path, and end the process if the port is in use', async () => {
    const { metrics, origin } = await start();
    const { origin: served } = new URL(metrics);
    expect((await send(origin, { path: '/metrics' })).statusCode).toBe(404);
    expect((await send(served, { path: '/api/v1/drivers' })).statusCode).toBe(404);
    expect((await send(served, { path: '/metrics', method: 'POST' })).statusCode).toBe(405);
    expect((await send(served, { path: '/metrics?name=up' })).statusCode).toBe(200);
    const { port } = new URL(metrics);
    await expect(processesWith({ METRICS_PORT: port }).run('api')).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use: stop the program that uses it, or set METRICS_PORT to another port.`,
    );
  });
});
