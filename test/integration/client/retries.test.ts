import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type ClientOptions, MilepostClient, MilepostError, type ProblemCode, requestTo } from '@milepost/client';
import { expect, it } from 'vitest';
import { PROBLEMS } from '../../../apps/api/problems.ts';
import { problemDetails, titleOf } from '../../../packages/platform/http/problem.ts';
import { advanceClock } from '../../support/advance-clock.ts';
import { untilTestEnds } from '../../support/fixtures.ts';
import { startScriptedServer } from '../../support/scripted-server.ts';

const DRIVERS = requestTo('/api/v1/drivers', { query: { page: 1 } });
const PAGE = { count: 0, current_page: 1, next_page: null, limit: 50, drivers: [] };
/** The client must know all of the service's codes, and no others. */
const KINDS: Readonly<Record<ProblemCode, { status: number; example: string; title?: string }>> = PROBLEMS;

/** Returns a function that sends a response. */
const respond = (status: number, type: string, body: string, headers: Record<string, string> = {}) => {
  return (response: ServerResponse) => void response.writeHead(status, { 'content-type': type, ...headers }).end(body);
};

const sendPage = respond(200, 'application/json; charset=utf-8', JSON.stringify(PAGE));

/** Returns a response that contains the problem with the given code. */
function problem(code: ProblemCode, headers: Record<string, string> = {}) {
  const { status, example } = KINDS[code];
  const details = { code, title: titleOf(code, KINDS[code]), status, message: example, errors: [], extensions: {} };
  const body = JSON.stringify(problemDetails(details, 'request-1', ''));
  return respond(status, 'application/problem+json', body, headers);
}

async function open(answers: Parameters<typeof startScriptedServer>[0], options: Partial<ClientOptions> = {}) {
  const server = untilTestEnds(await startScriptedServer(answers));
  return { server, client: new MilepostClient({ baseUrl: server.origin, key: 'mp_key', ...options }) };
}

async function errorOf(call: Promise<unknown>): Promise<MilepostError> {
  const error: unknown = await call.catch((reason: unknown) => reason);
  if (!(error instanceof MilepostError)) throw new Error(`The call did not fail as expected: ${error}`);
  return error;
}

it('a call that is refused for a while waits as long as Retry-After says, and then succeeds', async () => {
  const refused = ['rate_limited', 'overloaded', 'unavailable'] as const;
  const calls = refused.map(async (code) => {
    const { server, client } = await open([problem(code, { 'retry-after': '1' }), sendPage]);
    expect(await client.send(DRIVERS), code).toEqual(PAGE);
    expect(server.seen.map(({ url }) => url)).toEqual([DRIVERS.address, DRIVERS.address]);
    // A Node timer may fire up to a millisecond early.
    const [first, second] = server.seen.map(({ at }) => at);
    expect(Number(second) - Number(first), code).toBeGreaterThanOrEqual(999);
  });
  await Promise.all(calls);
});

it.each([
  ['overloaded', 3, { maxRetries: 2 }],
  ['overloaded', 5, {}],
  // Another request would not solve this problem.
  ['invalid_parameter', 1, {}],
] as const)('a call that is refused as %s makes %i attempts with the options %j', async (code, attempts, options) => {
  const { server, client } = await open([problem(code, { 'retry-after': '0' })], options);
  const { failure, message } = await errorOf(client.send(DRIVERS));
  const { status, example } = KINDS[code];
  expect(failure).toMatchObject({ code, status, problem: { detail: example } });
  expect(message).toBe(example);
  expect(server.seen).toHaveLength(attempts);
});

it.each(['', '/'])('a service may be under a path that ends in %j', async (end) => {
  const { server } = await open([sendPage]);
  const client = new MilepostClient({ baseUrl: `${server.origin}/fleet%20reports${end}`, key: 'mp_key' });
  await client.send(DRIVERS);
  const [request] = server.seen;
  expect(request?.url).toBe(`/fleet%20reports${DRIVERS.address}`);
  expect(request?.headers).toMatchObject({ authorization: 'APIKEY mp_key', 'content-type': 'application/json' });
});

it('a call retries when the connection is lost before or during the response', async () => {
  const cut = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"count":', () => response.destroy());
  };
  const { server, client } = await open([(response) => void response.destroy(), cut, sendPage]);
  expect(await client.send(DRIVERS)).toEqual(PAGE);
  expect(server.seen).toHaveLength(3);
});

it.each([
  [502, 'text/html'],
  [404, 'application/json'],
  [200, 'text/html'],
  [200, 'application/json'],
  [304, 'application/json'],
])('a response with status %i and type %s that is not from Milepost gets its own code', async (status, type) => {
  const { server, client } = await open([respond(status, type, '<html>')], { maxRetries: 0 });
  const { failure, message } = await errorOf(client.send(DRIVERS));
  expect(failure).toEqual({ code: 'unexpected_response', status, retryAfterSeconds: null });
  expect(message).toContain(`${new URL(server.origin).host} sent a response (status ${status})`);
});

it.each<[ProblemCode | 'unexpected_response', string, number]>([
  ['rate_limited', 'the service', 429],
  ['unexpected_response', 'a proxy', 429],
  ['unexpected_response', 'a proxy', 502],
])(
  'a call obeys the Retry-After of a proxy or the service: %s from %s with status %i',
  async (code, _sender, status) => {
    const retryAfter = { 'retry-after': '60' };
    const refuse =
      code === 'unexpected_response' ? respond(status, 'text/html', '<html>', retryAfter) : problem(code, retryAfter);
    const { server, client } = await open([refuse, sendPage], { maxTotalSeconds: 20 });
    // The delay exceeds the maximum duration of the call.
    const { failure } = await errorOf(client.send(DRIVERS));
    expect(failure).toMatchObject({ code, status, retryAfterSeconds: 60 });
    expect(server.seen).toHaveLength(1);
  },
);

it('a call rejects when its attempts exceed the maximum duration', async () => {
  const { server, client } = await open([() => {}], { maxTotalSeconds: 0.1 });
  expect((await errorOf(client.send(DRIVERS))).code).toBe('timed_out');
  // On a busy machine, the first request may not arrive in time.
  expect(server.seen.length).toBeLessThan(2);
});

it('a later attempt at a call has only the time left by the earlier attempts', async () => {
  const refuse = (response: ServerResponse) => {
    advanceClock(3_595_000);
    problem('unavailable', { 'retry-after': '1' })(response);
  };
  const options = { maxTotalSeconds: 3_600, timeoutSeconds: 3_600 };
  const { server, client } = await open([refuse, () => {}], options);
  const call = errorOf(client.send(DRIVERS)).then(({ code }) => code);
  expect(await Promise.race([call, delay(60_000, 'the call continues', { ref: false })])).toBe('timed_out');
  expect(server.seen).toHaveLength(2);
});

it('an aborted call rejects with the reason, and closes its connection', async () => {
  const abort = new AbortController();
  const closed = Promise.withResolvers<void>();
  const { client } = await open([
    (response) => {
      response.once('close', closed.resolve);
      abort.abort(new Error('The reader has left.'));
    },
  ]);
  await expect(client.send(DRIVERS, abort)).rejects.toThrow('The reader has left.');
  await closed.promise;
});

it('an aborted call does not wait for the end of Retry-After', async () => {
  const abort = new AbortController();
  const answered = Promise.withResolvers<void>();
  const { server, client } = await open([
    (response) => {
      void once(response, 'finish').then(() => answered.resolve());
      problem('rate_limited', { 'retry-after': '60' })(response);
    },
  ]);
  const call = client.send(DRIVERS, abort);
  const refused = expect(call).rejects.toThrow('The reader has left.');
  await answered.promise;
  abort.abort(new Error('The reader has left.'));
  await refused;
  expect(server.seen).toHaveLength(1);
});

it('an iterator that is aborted between two pages requests no more pages', async () => {
  const abort = new AbortController();
  const firstPage = JSON.stringify({ ...PAGE, next_page: 2, drivers: [{ driver_id: 'one' }] });
  const { server, client } = await open([respond(200, 'application/json', firstPage), sendPage]);
  const drivers = client.drivers(abort);
  expect((await drivers.next()).value).toEqual({ driver_id: 'one' });
  abort.abort(new Error('The reader has left.'));
  await expect(drivers.next()).rejects.toThrow('The reader has left.');
  expect(server.seen).toHaveLength(1);
});

it('a client sends a tag only if it keeps the response', async () => {
  const tagged = (text: string) => respond(200, 'application/json', text, { etag: `W/"${text.length}"` });
  const { server, client } = await open([tagged('{}'), tagged('[0,1]'), tagged('{}')], { maxCachedCharacters: 4 });
  for (let call = 0; call < 3; call += 1) await client.send(DRIVERS);
  expect(server.seen.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, 'W/"2"', undefined]);
});

it('a client does not keep a response that it cannot read', async () => {
  const cut = respond(200, 'application/json', '{"count":', { etag: 'W/"cut"' });
  const { server, client } = await open([cut, sendPage]);
  expect((await errorOf(client.send(DRIVERS))).code).toBe('unexpected_response');
  expect(await client.send(DRIVERS)).toEqual(PAGE);
  expect(server.seen.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
});

it.each([
  [{ baseUrl: 'milepost' }, 'URL'],
  [{ baseUrl: 'ftp://127.0.0.1' }, 'must start with http:// or https://'],
  [{ baseUrl: 'http://127.0.0.1/?fleet=1' }, 'no password, query or fragment'],
  [{ baseUrl: 'http://reader:secret@127.0.0.1' }, /^(?!.*secret).*no password/],
  [{ baseUrl: 'http://127.0.0.1', key: 'two\nlines' }, 'header value'],
])('a client refuses options that cannot work: %j', (options, message) => {
  expect(() => new MilepostClient({ key: 'mp_key', ...options })).toThrow(message);
});
