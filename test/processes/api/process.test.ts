import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { DriverPage } from '../../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../../support/answers.ts';
import { perSuite } from '../../support/fixtures.ts';
import { send } from '../../support/http.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { guardProcess } from '../../support/services/guard.ts';
import { createWorld } from '../../support/world.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PROGRAM = `
  import { runApi } from '@milepost/api';
  import { stopSignal } from '@milepost/service';
  await runApi(stopSignal());
`;

describeWithPostgres('the API process', () => {
  const world = perSuite(createWorld);

  function start(settings: Record<string, string>) {
    const parameters = ['--input-type=module', '--eval', PROGRAM];
    const child = spawn(process.execPath, parameters, { cwd: ROOT, env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
    guardProcess(child);
    return child;
  }

  /** Resolves with the address that the process logs. */
  async function listening(child: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
    const lines = createInterface(child.stderr);
    const { promise, resolve } = Promise.withResolvers<string>();
    // All of stderr is read, because a full pipe would block the process.
    lines.on('line', (line) => /"address":"([^"]+)"/.exec(line)?.[1] && resolve(JSON.parse(line).address));
    lines.on('close', () => resolve('none: it ended'));
    return await promise;
  }

  it('serves at the address it logs, applies its settings, and exits with 0 on SIGTERM', async () => {
    const child = start({
      DATABASE_URL: world.url,
      PORT: '0',
      RATE_LIMIT_PER_MINUTE: '7',
      REQUIRE_CONTENT_TYPE: 'false',
      SHUTDOWN_DELAY_SECONDS: '0',
    });
    const origin = await listening(child);
    const answer = await send(origin, {
      path: '/api/v1/drivers',
      headers: { authorization: `APIKEY ${await world.createKey('acme')}` },
    });
    contentOf(answer, DriverPage);
    expect(answer.headers['ratelimit-limit']).toBe('7');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('responds to every request during the shutdown delay, on 200 kept-alive and on new connections', async () => {
    const child = start({
      DATABASE_URL: world.url,
      PORT: '0',
      RATE_LIMIT_PER_MINUTE: '1000000000',
      SHUTDOWN_DELAY_SECONDS: '15',
    });
    const exit = once(child, 'exit');
    const origin = await listening(child);
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
    // A load balancer notices late that the process is stopping. It sends requests for a while longer, but the last of
    // them arrive long before the port closes.
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
    expect(await exit).toEqual([0, null]);
  });

  it('serves connections that are still in the listen queue when the shutdown delay ends', async () => {
    const child = start({ DATABASE_URL: world.url, PORT: '0', SHUTDOWN_DELAY_SECONDS: '10' });
    const exit = once(child, 'exit');
    const origin = await listening(child);
    child.kill('SIGTERM');
    const ready = async () => JSON.parse((await send(origin, { path: '/readyz' })).body).reason;
    await expect.poll(ready).toBe('stopping');
    child.kill('SIGSTOP');
    const last = Promise.all(Array.from({ length: 50 }, async () => await send(origin, { path: '/healthz' })));
    await Promise.race([last, delay(10_000)]);
    child.kill('SIGCONT');
    for (const { statusCode } of await last) expect(statusCode).toBe(200);
    expect(await exit).toEqual([0, null]);
  });

  it('closes its port after SIGTERM while 200 clients reconnect, without cutting off a request', async () => {
    const child = start({ DATABASE_URL: world.url, PORT: '0', SHUTDOWN_DELAY_SECONDS: '0' });
    const exit = once(child, 'exit');
    const origin = await listening(child);
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
    expect(await exit).toEqual([0, null]);
  });

  it('responds to the last requests on kept-alive connections, even after the shutdown delay', async () => {
    const child = start({ DATABASE_URL: world.url, PORT: '0', SHUTDOWN_DELAY_SECONDS: '0' });
    const exit = once(child, 'exit');
    const origin = await listening(child);
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
    expect(await exit).toEqual([0, null]);
  });
});
