import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { RECORD_KINDS } from '@milepost/domain/record-schemas';
import { OPERATIONS } from '@milepost/operations/operations';
import { ROLES } from '@milepost/postgres';
import { describe, expect, it } from 'vitest';
import { send } from '../../support/http.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { auditTrail, describeWithOps, type OpsRequest, opsProblem, requestOf, TOKEN } from '../../support/ops.ts';
import { openPool } from '../../support/pipeline.ts';
import { startProxyTo } from '../../support/tcp-proxy.ts';

/** All routes that need the token, as the OpenAPI document describes them. */
const GUARDED = [
  ...OPERATIONS,
  { method: 'GET', path: '/events', shared: false } as const,
  { method: 'GET', path: '/dead-letters/:id/record', shared: false } as const,
].flatMap(({ method, path, shared }) =>
  [path, ...(shared ? [] : [`/lanes/:lane${path}`])].map((each) => ({
    method,
    path: each.replaceAll(/:(\w+)/g, '{$1}'),
    url: each.replaceAll(/:\w+/g, '0'),
  })),
);
const SCHEMAS = RECORD_KINDS.map((kind) => `/schemas/${kind}`);
const OPEN = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs/', ...SCHEMAS];

const GUESS = { token: null, headers: { authorization: `Bearer not-${TOKEN}` } };

describeWithOps("access to the operators' API", (world) => {
  it('requires the token and refuses unknown parameters at every path', async () => {
    for (const { method, url } of GUARDED) {
      const answer = await world.ask(url, { method, token: null });
      opsProblem(answer, 401, 'unauthorized');
      expect(answer.headers['www-authenticate'], url).toBe('Bearer');
      if (method !== 'GET') continue;
      const { errors } = opsProblem(await world.ask(`${url}?limt=1`, { method }), 400, 'invalid_parameter');
      const unknown = { parameter: 'limt', message: expect.stringMatching(/^Unknown parameter: .*\.$/) };
      expect(errors, url).toContainEqual(unknown);
    }
  });

  it('lists the known parameters in the error about an unknown parameter', async () => {
    const messageOf = async (path: string, request?: OpsRequest) =>
      opsProblem(await world.ask(path, request), 400, 'invalid_parameter').errors?.map(({ message }) => message);
    expect(await messageOf('/operations?limt=1')).toEqual(['Unknown parameter: the parameters are limit, before.']);
    expect(await messageOf('/replays?limt=1')).toEqual(['Unknown parameter: the parameters are limit, before.']);
    expect(await messageOf('/keys?limit=1')).toEqual(['Unknown parameter: there are no parameters.']);
    const body = { throttle: 'off', x: 1 };
    expect(await messageOf('/replays/1/throttle', { method: 'PUT', body })).toEqual([
      'Unknown parameter: the only parameter is throttle.',
    ]);
  });

  it.each([
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    `APIKEY ${TOKEN}`,
    TOKEN,
    'Bearer ',
    `Bearer ${TOKEN} ${TOKEN}`,
    `Bearer ${TOKEN}\0`,
  ])("is refused with %j, but not if the scheme's name is in different case", async (authorization) => {
    opsProblem(await world.ask('/status', { token: null, headers: { authorization } }), 401, 'unauthorized');
    const headers = { authorization: `bearer ${TOKEN}` };
    expect((await world.ask('/status', { token: null, headers })).statusCode).toBe(200);
  });

  it.each(OPEN)('requires no token at %s', async (path) => {
    expect((await world.ask(path, { token: null })).statusCode).toBe(200);
    expect((await world.ask(`${path}?probe=1`, { token: null })).statusCode).toBe(200);
  });

  it('requires OPS_TOKEN to be set, except for health and metrics, and the error says so', async () => {
    const closed = await world.build({ token: undefined });
    for (const { method, url } of GUARDED) {
      const problem = opsProblem(await closed.inject({ method, url }), 401, 'unauthorized');
      expect(problem.detail).toContain('set OPS_TOKEN');
    }
    for (const path of OPEN) expect((await closed.inject(path)).statusCode, path).toBe(200);
  });

  describe('is refused with status', () => {
    it('404 for unknown paths, with or without the token', async () => {
      for (const token of [TOKEN, null]) {
        opsProblem(await world.ask('/nothing', { token, method: 'POST', body: '{' }), 404, 'not_found');
      }
    });

    it.each([
      ['/status', 'POST', 'GET, HEAD'],
      ['/keys', 'PUT', 'GET, HEAD, POST'],
      ['/keys/key_1', 'GET', 'DELETE'],
      ['/metrics', 'DELETE', 'GET, HEAD'],
    ] as const)('405 for %s with the method %s, with an Allow header', async (path, method, allow) => {
      const answer = await world.ask(path, { method });
      opsProblem(answer, 405, 'method_not_allowed');
      expect(answer.headers['allow']).toBe(allow);
    });

    it.each([
      ['400 for invalid JSON', '{', {}, 400, 'bad_request'],
      ['400 for an attempt at prototype pollution', '{"__proto__":{"x":1},"fleet_id":"acme"}', {}, 400, 'bad_request'],
      ['415 for another type', 'fleet_id=acme', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
      ['413 for a body that is too large', JSON.stringify('x'.repeat(300_000)), {}, 413, 'body_too_large'],
    ] as const)('%s', async (_what, body, headers, status, code) => {
      opsProblem(await world.ask('/keys', { method: 'POST', body, headers }), status, code);
    });
  });

  it('is documented in OpenAPI with every path, every problem, and the operator header for every change', async () => {
    const document = (await world.ask('/openapi.json')).json();
    const guarded = GUARDED.map(({ path }) => path);
    expect(Object.keys(document.paths).sort()).toEqual(
      [...new Set([...guarded, '/healthz', '/metrics', '/readyz', ...SCHEMAS])].sort(),
    );
    for (const { method, path } of GUARDED) {
      const { responses, parameters } = document.paths[path][method.toLowerCase()];
      expect(Object.keys(responses), path).toEqual(expect.arrayContaining(['400', '401', '429', '500', '503']));
      const named = expect.objectContaining({ in: 'header', name: expect.stringMatching(/^milepost-operator$/i) });
      if (method !== 'GET') expect(parameters, path).toContainEqual(named);
    }
    const names = ['Replay', 'Verification', 'DeadLetter', 'StoredEvent', 'AuditReport', 'AuditFault', 'Generation'];
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(names));
    const tags = new Set(document.tags.map(({ name }: { name: string }) => name));
    const used = Object.values<object>(document.paths).flatMap((path) =>
      Object.values(path).flatMap((operation) => operation.tags),
    );
    expect(new Set(used)).toEqual(tags);
  });

  describe('within limits', () => {
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
});
