import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { DriverPage } from '../../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../../support/answers.ts';
import { perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { send } from '../../support/http.ts';
import { addressOf } from '../../support/metrics.ts';
import { Processes } from '../../support/processes.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld } from '../../support/world.ts';

describeWithPostgres('the API process', () => {
  const world = perSuite(createWorld);

  /** Starts the process. Resolves with the process and the address that it logs. */
  async function start(settings: Record<string, string> = {}) {
    const own = { DATABASE_URL: world.url, PORT: '0', SHUTDOWN_DELAY_SECONDS: '0', ...settings };
    const api = untilTestEnds(new Processes(own)).start('api');
    return { ...api, origin: await addressOf(api) };
  }

  it('serves at the address it logs, applies its settings, and exits with 0 on SIGTERM', async () => {
    const { origin, stop } = await start({ RATE_LIMIT_PER_MINUTE: '7', REQUIRE_CONTENT_TYPE: 'false' });
    const answer = await send(origin, {
      path: '/api/v1/drivers',
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
    const authorization = `APIKEY ${await world.createKey('acme')}`;
    let asking = true;
    let lists = 0;
    const answered = Array.from({ length: 200 }, () => 0);
    const clients = answered.map(async (_none, index) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const headers = { authorization, 'content-type': 'application/json' };
      while (asking) {
        const answer = await send(origin, { path: '/api/v1/drivers', headers, agent });
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
    const ready = async () => JSON.parse((await send(origin, { path: '/readyz' })).body).reason;
    await expect.poll(ready).toBe('stopping');
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
    const ready = async () => JSON.parse((await send(origin, { path: '/readyz' })).body).reason;
    await expect.poll(ready).toBe('stopping');
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
    const ready = async () => JSON.parse((await send(origin, { path: '/readyz' })).body).reason;
    child.kill('SIGTERM');
    await ready().catch(() => {});
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
});
