import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { RECORD_KINDS, recordSchema } from '@milepost/domain/record-schemas';
import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS as API_PROBLEMS } from '../../apps/api/problems.ts';
import { PROBLEMS as OPS_PROBLEMS } from '../../apps/ops/problems.ts';
import type { Answer } from '../support/answers.ts';
import { perSuite } from '../support/fixtures.ts';
import { parseRaw, send, sendRaw } from '../support/http.ts';
import { silentProperties } from '../support/openapi.ts';
import { openOps, TOKEN } from '../support/ops.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { createWorld } from '../support/world.ts';

const SERVERS = ['the API', "the operators' API"] as const;
const HEADERS = 'Host: x\r\nContent-Type: application/json\r\n';
/** On a busy machine, the server is sometimes not ready. Other tests cover readiness. */
const READINESS = expect.toBeOneOf([200, 503]);
const MAX_RECEIPT_MILLISECONDS = 20_000;

function expectProblem({ statusCode, headers, body }: Answer, status: number, code: string): void {
  expect(statusCode, body).toBe(status);
  expect(headers).toMatchObject({
    'content-type': 'application/problem+json; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
  expect(JSON.parse(body)).toMatchObject({ status, code, request_id: expect.any(String) });
}

/** Parses the responses on one connection in order. Each must have a Content-Length. */
function parseAll(raw: string): Answer[] {
  const answers: Answer[] = [];
  for (let rest = raw; rest !== ''; ) {
    const answer = parseRaw(rest);
    const length = Number(answer.headers['content-length']);
    const start = rest.indexOf('\r\n\r\n') + 4;
    answers.push({ ...answer, body: rest.slice(start, start + length) });
    rest = rest.slice(start + length);
  }
  return answers;
}

describeWithPostgres('HTTP on both servers', () => {
  const world = perSuite(createWorld);
  const ops = perSuite(openOps);
  const origins = new Map<string, string>();
  const credentials = new Map<string, string>();

  beforeAll(async () => {
    await world.project();
    const listen = async (app: FastifyInstance) => await app.listen({ host: '127.0.0.1', port: 0 });
    origins.set(SERVERS[0], await listen(world.api));
    origins.set(SERVERS[1], await listen(ops.ops));
    credentials.set(SERVERS[0], `APIKEY ${await world.createKey('acme')}`);
    credentials.set(SERVERS[1], `Bearer ${TOKEN}`);
  });

  describe.each(SERVERS)('%s', (server) => {
    const origin = () => origins.get(server) ?? '';
    const guarded = server === 'the API' ? '/api/v1/drivers' : '/keys';
    const ask = async (lines: string) => parseRaw(await sendRaw(origin(), `${lines}\r\n`));

    it.each([
      ['no Host', 'GET /healthz HTTP/1.1\r\n', 400, 'bad_request'],
      ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n', 400, 'bad_request'],
      ['no HTTP', 'nonsense\r\n', 400, 'bad_request'],
      ['a malformed header', 'GET /healthz HTTP/1.1\r\nbad header\r\n', 400, 'bad_request'],
      ['a control character in the path', 'GET /\u0001 HTTP/1.1\r\n', 400, 'bad_request'],
      ['headers that are too large', `GET /${'x'.repeat(140_000)} HTTP/1.1\r\nHost: x\r\n`, 431, 'headers_too_large'],
      ['an unknown Expect', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: x\r\n', 417, 'expectation_failed'],
    ])('responds to %s with a problem, and closes the connection', async (_what, lines, status, code) => {
      const answer = await ask(lines);
      expectProblem(answer, status, code);
      expect(answer.headers['connection']).toBe('close');
    });

    it.each(RECORD_KINDS)('serves the schema of %s without a key and documents it in OpenAPI', async (kind) => {
      const { statusCode, headers, body } = await send(origin(), { path: `/schemas/${kind}` });
      expect([statusCode, headers['content-type']]).toEqual([200, 'application/schema+json; charset=utf-8']);
      expect(JSON.parse(body)).toEqual(recordSchema(kind));
      const document = JSON.parse((await send(origin(), { path: '/openapi.json' })).body);
      const { get } = document.paths[`/schemas/${kind}`];
      expect(get).toMatchObject({ security: [], responses: { 200: { content: { 'application/schema+json': {} } } } });
      expectProblem(await send(origin(), { path: `/schemas/${kind}`, method: 'DELETE' }), 405, 'method_not_allowed');
      expectProblem(await send(origin(), { path: '/schemas/trip' }), 404, 'not_found');
    });

    it('does not require a Host header for HTTP/1.0, and responds to Expect: 100-continue with 100', async () => {
      expect((await ask('GET /healthz HTTP/1.0\r\n')).statusCode).toBe(200);
      const raw = await sendRaw(
        origin(),
        'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n',
      );
      expect(raw).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    });

    it.each([
      ['/docs/js/..%2f', 404, 'not_found'],
      ['/docs/js/nothing.js', 404, 'not_found'],
      ['/docs/js/../x', 404, 'not_found'],
      ['/docs/js/%00', 404, 'not_found'],
      ['/docs/%zz', 400, 'bad_request'],
    ])('responds to %s with a problem', async (path, status, code) => {
      expectProblem(await send(origin(), { path }), status, code);
    });

    it('responds in order to the requests before malformed bytes, and then returns 400', async () => {
      const paths = ['/readyz', '/healthz', '/nothing', '/readyz'];
      const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\n${HEADERS}\r\n`);
      const answers = parseAll(await sendRaw(origin(), `${requests.join('')}garbage\r\n\r\n`));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([READINESS, 200, 404, READINESS, 400]);
      expect(answers[0]?.body).toContain('ready');
      expect(answers[1]?.body).toContain('ok');
      for (const answer of answers.slice(4)) expectProblem(answer, 400, 'bad_request');
    });

    it('responds to a malformed body with 400', async () => {
      const start = `POST ${guarded} HTTP/1.1\r\nAuthorization: ${credentials.get(server)}\r\n${HEADERS}`;
      const answers = parseAll(await sendRaw(origin(), `${start}Transfer-Encoding: chunked\r\n\r\ngarbage\r\n`));
      expect(answers.at(-1)).toMatchObject({ statusCode: 400 });
    });

    it('refuses two Authorization headers, whatever they contain', async () => {
      const right = `Authorization: ${credentials.get(server)}\r\n`;
      for (const other of [right, 'Authorization: x\r\n', 'Authorization:\r\n']) {
        for (const both of [right + other, other + right]) {
          const answer = await ask(`GET ${guarded} HTTP/1.1\r\n${HEADERS}${both}Connection: close\r\n`);
          expectProblem(answer, 401, 'unauthorized');
          expect(JSON.parse(answer.body).detail).toMatch(/^Send exactly one Authorization header: /);
        }
      }
      const once = await ask(`GET ${guarded} HTTP/1.1\r\n${HEADERS}${right}Connection: close\r\n`);
      expect(once.statusCode).toBe(200);
    });

    it('responds to the request after an upgrade request, or closes the connection', async () => {
      const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
      const first = `GET /healthz HTTP/1.1\r\n${HEADERS}${upgrade}\r\n`;
      const closing = (path: string) => `GET ${path} HTTP/1.1\r\n${HEADERS}Connection: close\r\n\r\n`;
      // Both requests are in one chunk, from which Node drops the second request. Because of `Connection: close`, the
      // client sends that request again.
      const [answer, ...others] = parseAll(await sendRaw(origin(), first + closing('/nothing')));
      expect([answer?.statusCode, answer?.headers['connection'], others]).toEqual([200, 'close', []]);
      // Clients such as Java's request an upgrade in a connection's first request, and then reuse the connection.
      const { hostname, port } = new URL(origin());
      const socket = connect(Number(port), hostname);
      socket.write(first);
      await once(socket, 'data');
      socket.write(closing('/nothing'));
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
    });

    it.each(['HTTP/1.1\r\nHost: x', 'HTTP/1.0'])('responds to OPTIONS / over %j with 204', async (version) => {
      const answer = await ask(`OPTIONS / ${version}\r\nConnection: close\r\n`);
      expect([answer.statusCode, answer.body]).toEqual([204, '']);
      expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS');
      expectProblem(await send(origin(), { path: '/healthz', method: 'OPTIONS' }), 405, 'method_not_allowed');
    });

    it('sends nosniff and the request id with every response, and generates an id if it is missing or malformed', async () => {
      const authorization = credentials.get(server) ?? '';
      const paths = [
        '/healthz',
        '/readyz',
        '/openapi.json',
        '/docs/',
        '/docs/js/scalar.js',
        '/nothing',
        '/%zz',
        guarded,
      ];
      const kept = 'Gate.way-7_a:b/c+d=~@9';
      for (const path of paths) {
        for (const method of ['GET', 'HEAD', 'PATCH']) {
          const headers = { authorization, 'content-type': 'application/json' };
          const named = await send(origin(), { path, method, headers: { ...headers, 'x-request-id': kept } });
          const own = { 'x-request-id': kept, 'x-content-type-options': 'nosniff' };
          expect(named.headers, `${method} ${path}`).toMatchObject(own);
          if (named.body.startsWith('{"type"')) expect(JSON.parse(named.body).request_id).toBe(kept);
        }
      }
      for (const malformed of ['', 'x'.repeat(129), 'a b', '{}', '<script>', 'ä', 'a,b', 'a"b']) {
        const { headers } = await send(origin(), { path: '/healthz', headers: { 'x-request-id': malformed } });
        expect(headers['x-request-id'], malformed).toMatch(/^[0-9a-f-]{36}$/);
      }
      const twice = await ask(
        `GET /healthz HTTP/1.1\r\n${HEADERS}X-Request-Id: a\r\nX-Request-Id: b\r\nConnection: close\r\n`,
      );
      expect(twice.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      for (const refused of [
        await ask('garbage\r\n'),
        await ask(`GET /${'x'.repeat(140_000)} HTTP/1.1\r\nHost: x\r\n`),
      ]) {
        expect(refused.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
        expect(refused.headers['x-content-type-options']).toBe('nosniff');
        expect(JSON.parse(refused.body).request_id).toBe(refused.headers['x-request-id']);
      }
    });

    it('documents every property with an example, and the statuses 408, 417 and 431 for every path', async () => {
      const { paths, components } = JSON.parse((await send(origin(), { path: '/openapi.json' })).body);
      expect(silentProperties(components.schemas)).toEqual([]);
      for (const operations of Object.values<object>(paths)) {
        for (const { responses } of Object.values(operations)) {
          expect(Object.keys(responses)).toEqual(expect.arrayContaining(['408', '417', '431']));
        }
      }
    });
  });

  it.each([
    [SERVERS[0], API_PROBLEMS, async (path: string) => await world.get(path, { key: null })],
    [SERVERS[1], OPS_PROBLEMS, async (path: string) => await ops.ask(path, { token: null })],
  ] as const)(
    'has pages of %s that explain each problem, need no key, and load or run nothing',
    async (_server, problems, ask) => {
      const list = await ask('/docs/errors/');
      expect(Array.from(list.body.matchAll(/href="(\w+)"/g), ([, code]) => code)).toEqual(Object.keys(problems));
      for (const [code, kind] of Object.entries(problems)) {
        const { statusCode, headers, body } = await ask(`/docs/errors/${code}`);
        expect([statusCode, headers['content-type']], code).toEqual([200, 'text/html; charset=utf-8']);
        expect(body).toContain(`Status <code>${kind.status}</code>, <code>code</code> <code>${code}</code>`);
        expect(body.includes('Message for the end user')).toBe('endUser' in kind);
        expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
        expect(body).not.toMatch(/<script|src=|<link|`/);
      }
      const { type } = JSON.parse((await ask('/nothing')).body);
      expect((await ask(type)).body).toContain('<code>not_found</code>');
      for (const code of ['nothing', 'toString']) expect((await ask(`/docs/errors/${code}`)).statusCode).toBe(404);
    },
  );

  it('closes connections on which no request arrives in time', async () => {
    const started = performance.now();
    const answers = await Promise.all(
      [...origins.values()].flatMap((origin) =>
        // One client sends nothing, one stops partway through the headers, and one sends another header line every half
        // second.
        ['', 'GET /healthz HTTP/1.1\r\nHost: x\r\n', 'GET /healthz HTTP/1.1\r\n'].map(async (bytes, index) => {
          const { hostname, port } = new URL(origin);
          const socket = connect(Number(port), hostname);
          socket.write(bytes);
          const trickle = setInterval(() => index === 2 && socket.write('X: y\r\n'), 500);
          return parseRaw(await text(socket).finally(() => clearInterval(trickle)));
        }),
      ),
    );
    expect(answers).toHaveLength(6);
    for (const answer of answers) expectProblem(answer, 408, 'request_timeout');
    expect(performance.now() - started).toBeLessThan(MAX_RECEIPT_MILLISECONDS);
  });
});
