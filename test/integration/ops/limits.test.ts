import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { ROLES } from '@milepost/postgres';
import { expect, it } from 'vitest';
import { perSuite } from '../../support/fixtures.ts';
import { send } from '../../support/http.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { auditTrail, openOps, opsProblem, requestOf, TOKEN } from '../../support/ops.ts';
import { openPool } from '../../support/pipeline.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { startProxyTo } from '../../support/tcp-proxy.ts';

const GUESS = { token: null, headers: { authorization: `Bearer not-${TOKEN}` } };

describeWithPostgres("the operators' API within its limits", () => {
  const world = perSuite(openOps);

  it("limits each address's requests per minute, including those with a wrong token", async () => {
    const ops = await world.build({ requestsPerMinute: 3 });
    expect((await ops.inject(requestOf('/status'))).headers['ratelimit-remaining']).toBe('2');
    expect((await ops.inject(requestOf('/status', GUESS))).statusCode).toBe(401);
    expect((await ops.inject(requestOf('/keys'))).statusCode).toBe(200);
    const refused = await ops.inject(requestOf('/keys', { method: 'POST', body: { fleet_id: 'acme' } }));
    expect(opsProblem(refused, 429, 'rate_limited').detail).toContain('The limit of 3 requests per minute');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    opsProblem(await ops.inject(requestOf('/status', GUESS)), 429, 'rate_limited');
    expect((await ops.inject({ ...requestOf('/status'), remoteAddress: '192.0.2.7' })).statusCode).toBe(200);
    for (const path of ['/healthz', '/metrics']) expect((await ops.inject(path)).statusCode, path).toBe(200);
    expect((await auditTrail(world))[0]).toMatchObject({ action: 'keys.create', outcome: 'refused' });
  });

  it('keeps serving health checks, metrics and clients with a token while 600 others send slow requests', async () => {
    const origin = await (await world.build({})).listen({ host: '127.0.0.1', port: 0 });
    const port = Number(new URL(origin).port);
    const asking = { path: '/status', headers: { authorization: `Bearer ${TOKEN}` } };
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const known: Socket[] = [];
    agent.on('free', (socket: Socket) => known.push(socket));
    expect((await send(origin, { ...asking, agent })).statusCode).toBe(200);
    const slow = Array.from({ length: 600 }, () => connect(port, '127.0.0.1').on('error', () => {}));
    for (const socket of slow) {
      if (socket.connecting) await once(socket, 'connect');
      socket.write('GET /healthz HTTP/1.1\r\nHost:');
    }
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await send(origin, { path })).statusCode, path).toBe(200);
    expect((await send(origin, asking)).statusCode).toBe(200);
    expect((await send(origin, { ...asking, agent })).statusCode).toBe(200);
    expect(known.map((socket) => socket.destroyed)).not.toContain(true);
    agent.destroy();
    for (const socket of slow) socket.destroy();
  });

  it('returns 503 in time while the database hangs', async () => {
    const proxy = await startProxyTo(world.pipeline.url);
    const pool = openPool(proxy.url, ROLES.operator);
    const ops = await world.build({ pool });
    expect((await ops.inject(requestOf('/status'))).statusCode).toBe(200);
    proxy.freeze();
    const started = performance.now();
    for (const answer of await Promise.all(['/status', '/dead-letters'].map((path) => ops.inject(requestOf(path))))) {
      opsProblem(answer, 503, 'unavailable');
      expect(answer.headers['retry-after']).toBe('2');
    }
    // On an idle machine, the two responses take 5 and 12 s.
    expect(performance.now() - started).toBeLessThan(30_000);
    await proxy.cut();
    await pool.end();
  });

  it('runs a few heavy requests concurrently, and responds to other requests in the meantime', async () => {
    const letters = async () => await world.ask('/dead-letters');
    const answers = await whileLocked(
      world.pipeline.owner,
      'LOCK TABLE dead_letter IN ACCESS EXCLUSIVE MODE',
      async () => {
        await lockWaiters(world.pipeline.owner, 3);
        opsProblem(await letters(), 503, 'overloaded');
        expect((await world.ask('/replays')).statusCode).toBe(200);
      },
      async () => await Promise.all([letters(), letters(), letters()]),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect((await letters()).statusCode).toBe(200);
  });
});
