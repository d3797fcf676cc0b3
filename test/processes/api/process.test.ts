import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { DriverPage } from '../../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../../support/answers.ts';
import { startCollector } from '../../support/collector.ts';
import { perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { headersOf, send, statusOfDrivers } from '../../support/http.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { addressOf, metricsUrl, scrape } from '../../support/metrics.ts';
import { MODULE_PROBE } from '../../support/module-probe.ts';
import { Processes } from '../../support/processes.ts';
import { needs } from '../../support/programs.ts';
import { driverProfile } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { freePorts } from '../../support/services/free-port.ts';
import { createWorld } from '../../support/world.ts';

const DRIVERS = '/api/v1/drivers';
const CONCURRENCY = 10;
const RATE_LIMIT = 20;

/** Matches the URL of an OpenTelemetry module, except one of the API, which another library loads. */
const TRACING_MODULE = /@opentelemetry\/(?!api\/)/;

describeWithPostgres('the API process', () => {
  const world = perSuite(createWorld);
  beforeAll(async () => await world.take([driverProfile()]));

  /** Starts the process. Resolves with the process and the address that it logs. */
  async function start(settings: Record<string, string> = {}) {
    const own = { DATABASE_URL: world.url, PORT: '0', SHUTDOWN_DELAY_SECONDS: '0', ...settings };
    const api = untilTestEnds(new Processes(own)).start('api');
    return { ...api, origin: await addressOf(api) };
  }

  const unreadyReason = async (origin: string) => JSON.parse((await send(origin, { path: '/readyz' })).body).reason;

  it('serves at the address it logs, applies its settings, and exits with 0 on SIGTERM', async () => {
    const { origin, stop } = await start({ RATE_LIMIT_PER_MINUTE: '7', REQUIRE_CONTENT_TYPE: 'false' });
    const answer = await send(origin, {
      path: DRIVERS,
      headers: { authorization: `APIKEY ${await world.createKey('acme')}` },
    });
    contentOf(answer, DriverPage);
    expect(answer.headers['ratelimit-limit']).toBe('7');
    expect(await stop()).toBe(0);
  });

  it('responds to every request during the shutdown delay, on 200 kept-alive and on new connections', async () => {
    const { child, exited, origin } = await start({
      RATE_LIMIT_PER_MINUTE: '1000000000',
      SHUTDOWN_DELAY_SECONDS: '15',
    });
    const headers = headersOf(await world.createKey('acme'));
    let asking = true;
    let lists = 0;
    const answered = Array.from({ length: 200 }, () => 0);
    const clients = answered.map(async (_none, index) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (asking) {
        const answer = await send(origin, { path: DRIVERS, headers, agent });
        // A busy machine cannot serve 200 concurrent requests in time, but even a refused request gets a complete
        // response.
        if (answer.statusCode === 503) problemOf(answer, 503, 'overloaded');
        else {
          contentOf(answer, DriverPage);
          lists += 1;
        }
        answered[index] = (answered[index] ?? 0) + 1;
        await delay(200);
      }
      agent.destroy();
    });
    const all = Promise.all(clients);
    const least = () => Math.min(...answered);
    await Promise.race([all, expect.poll(least).toBeGreaterThan(1)]);

    child.kill('SIGTERM');
    // A load balancer is slow to notice that the process is stopping. It sends requests for a while longer, but the
    // last of them arrive long before the port closes.
    const enough = delay(2_500);
    const listsBefore = lists;
    await expect.poll(() => unreadyReason(origin)).toBe('stopping');
    await Promise.race([all, enough]);
    const late = await send(origin, { path: '/healthz' });
    expect([late.statusCode, late.headers['connection']]).toEqual([200, 'close']);
    asking = false;
    await all;
    expect(lists).toBeGreaterThan(listsBefore);
    expect(await exited).toBe(0);
  });

  it('serves connections that are still in the listen queue when the shutdown delay ends', async () => {
    const { child, exited, origin } = await start({ SHUTDOWN_DELAY_SECONDS: '10' });
    child.kill('SIGTERM');
    await expect.poll(() => unreadyReason(origin)).toBe('stopping');
    child.kill('SIGSTOP');
    const last = Promise.all(Array.from({ length: 50 }, async () => await send(origin, { path: '/healthz' })));
    await Promise.race([last, delay(10_000)]);
    child.kill('SIGCONT');
    for (const { statusCode } of await last) expect(statusCode).toBe(200);
    expect(await exited).toBe(0);
  });

  it('closes its port after SIGTERM while 200 clients reconnect, without cutting off a request', async () => {
    const { child, exited, origin } = await start();
    let isStopping = false;
    let answeredBefore = 0;
    const clients = Array.from({ length: 200 }, async () => {
      for (let answeredAfter = 0; ; ) {
        try {
          const { statusCode } = await send(origin, { path: '/healthz' });
          expect(statusCode).toBe(200);
          if (isStopping) answeredAfter += 1;
          else answeredBefore += 1;
        } catch (error) {
          return { answeredAfter, code: error instanceof Error && 'code' in error ? error.code : error };
        }
      }
    });
    await expect.poll(() => answeredBefore).toBeGreaterThan(1_000);
    child.kill('SIGTERM');
    await unreadyReason(origin).catch(() => {});
    isStopping = true;
    const outcomes = await Promise.all(clients);
    expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set(['ECONNREFUSED']));
    // These are one running request, one that waits until the port closes, and those sent before the process has
    // handled the signal.
    expect(Math.max(...outcomes.map(({ answeredAfter }) => answeredAfter))).toBeLessThan(10);
    expect(await exited).toBe(0);
  });

  it('responds to the last requests on kept-alive connections, even after the shutdown delay', async () => {
    const { child, exited, origin } = await start();
    const agents = Array.from({ length: 20 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const askAll = async () => await Promise.all(agents.map((agent) => send(origin, { path: '/healthz', agent })));
    await askAll();
    child.kill('SIGTERM');
    const isClosed = async () =>
      await send(origin, { path: '/healthz' }).then(
        () => false,
        () => true,
      );
    await expect.poll(isClosed, { interval: 5 }).toBe(true);
    child.kill('SIGSTOP');
    const last = askAll();
    await Promise.race([last, delay(1_500)]);
    child.kill('SIGCONT');
    for (const { statusCode } of await last) expect(statusCode).toBe(200);
    expect(await exited).toBe(0);
  });

  it(
    'serves metrics that count requests by route and status, admissions, refusals and requests beyond the rate limit',
    needs('promtool'),
    async () => {
      const { origin, ...api } = await start({ METRICS_PORT: '0', RATE_LIMIT_PER_MINUTE: String(RATE_LIMIT) });
      const metrics = await metricsUrl(api);
      expect((await send(origin, { path: '/metrics' })).statusCode).toBe(404);
      const headers = headersOf(await world.createKey('acme'));
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
      expect(requests('none', 404, 400)).toEqual([2, 1]);
      expect(
        figures.sum('milepost_http_request_duration_seconds_sum', { route: DRIVERS, status: 503 }),
      ).toBeGreaterThan(0.2);
      for (const [name, value] of [
        ['http_requests_rate_limited_total', 2],
        ['http_requests_refused_total', 1],
        // Keys are checked only after admission, so the request without a key is also admitted.
        ['http_requests_admitted_total', RATE_LIMIT + 1 + 2],
        ['http_requests_running', 0],
        ['http_requests_running_limit', CONCURRENCY],
        ['database_connections_limit', CONCURRENCY + 1 + 2],
        ['database_callers_waiting', 0],
      ] as const)
        expect(figures.sum(`milepost_${name}`), name).toBe(value);
      for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'])
        expect(figures.sum(name)).toBeGreaterThan(0);
      expect(figures.text).not.toMatch(/acme|a%2Fb|a\/b/);
      expect(figures.complaints()).toBe('');
    },
  );

  /**
   * Runs the API with these settings until it has responded to the requests, and then stops it. Returns its log and
   * exit code.
   */
  async function serve(settings: Record<string, string>, requests = 1) {
    const { origin, ...api } = await start(settings);
    const key = await world.createKey('acme');
    for (let sent = 0; sent < requests; sent += 1) expect(await statusOfDrivers(origin, key)).toBe(200);
    return { code: await api.stop(), log: api.output() };
  }

  it('loads no SDK, connects to no collector and logs no span if tracing is off', async () => {
    const collector = untilTestEnds(await startCollector());
    const { code, log } = await serve({
      NODE_OPTIONS: `--import=${MODULE_PROBE}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SDK_DISABLED: 'true',
    });
    expect(code).toBe(0);
    expect(log).toContain('"message":"request"');
    expect(log).not.toMatch(TRACING_MODULE);
    expect(log).not.toMatch(/span_id|trace_id/);
    expect(collector.connections()).toBe(0);
  });

  it('responds even if no collector is listening, and reports this once', async () => {
    const [port] = await freePorts(1);
    // 600 spans need two exports.
    const { code, log } = await serve(
      {
        NODE_OPTIONS: `--import=${MODULE_PROBE}`,
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      },
      300,
    );
    expect(log).toMatch(TRACING_MODULE);
    expect(code).toBe(0);
    expect(log.match(/Spans were not exported\./g)).toHaveLength(1);
  });
});
