import { listDeadLetters, retry } from '@milepost/operations/dead-letters';
import { listKeys, revokeKey } from '@milepost/operations/keys';
import { list as listReplays, promote } from '@milepost/operations/replays';
import { acceptSource } from '@milepost/operations/sources';
import { driverDayTrace } from '@milepost/operations/trace';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openRemote } from '../../../apps/cli/client/remote.ts';
import { UsageError } from '../../../apps/cli/failure.ts';
import { perTest } from '../../support/fixtures.ts';
import { startRecordingServer } from '../../support/recording-server.ts';
import { freePorts } from '../../support/services/free-port.ts';

let answer: () => Response;
const server = perTest(() => startRecordingServer(() => answer()));

beforeEach(() => {
  answer = () => Response.json({});
  vi.stubEnv('OPS_TOKEN', 'secret');
});

const addresses = () => server.requests.map(({ method, url }) => `${method} ${url.replace('http://localhost', '')}`);

describe('a request to the operators API', () => {
  it('contains the given inputs of a GET in the query string, even 0 and false, and no others', async () => {
    const client = openRemote(server.origin);
    await client.call(listDeadLetters, { all: false, limit: 0, source: 'file:a b&c' });
    await client.call(listDeadLetters, {});
    await client.call(driverDayTrace, { fleet_id: 'acme', driver_id: 'a/b?c', date: '2025-01-31' });
    expect(addresses()[2]).toBe('GET /drivers/acme/a%2Fb%3Fc/trace?date=2025-01-31');
    const [first, second] = server.requests.map(({ url }) => new URL(url));
    expect(Object.fromEntries(first?.searchParams ?? [])).toEqual({ all: 'false', limit: '0', source: 'file:a b&c' });
    expect(second?.search).toBe('');
    for (const { body, headers } of server.requests) expect([body, headers.has('content-type')]).toEqual([null, false]);
  });

  it('contains the inputs of a change in the body, except those in the path, which are encoded once', async () => {
    const client = openRemote(server.origin);
    await client.call(acceptSource, { topic: 'file:/a b%20', partition: 0, from: 'beginning' });
    await client.call(promote, { id: 7, accept_differences: false });
    expect(addresses()).toEqual(['POST /sources/file%3A%2Fa%20b%2520/0/accept', 'POST /replays/7/promote']);
    expect(server.requests.map(({ headers }) => headers.get('content-type'))).toEqual([
      'application/json',
      'application/json',
    ]);
    expect(await Promise.all(server.requests.map((request) => request.json()))).toEqual([
      { from: 'beginning' },
      { accept_differences: false },
    ]);
  });

  it('has no body if all inputs are in the path', async () => {
    answer = () => new Response(null, { status: 204 });
    expect(await openRemote(server.origin).call(revokeKey, { id: 'key_1' })).toEqual({ status: 204, answer: null });
    expect(addresses()).toEqual(['DELETE /keys/key_1']);
    expect(server.requests[0]?.body).toBeNull();
    expect(server.requests[0]?.headers.has('content-type')).toBe(false);
  });

  it('names the lane, even lane 0, unless all lanes share the data', async () => {
    const client = openRemote(`${server.origin}/`, 0);
    await client.call(listReplays, {});
    await client.call(listKeys, {});
    await client.inLane(2).call(listReplays, {});
    await openRemote(`${server.origin}/below/`).call(listReplays, {});
    expect(addresses()).toEqual(['GET /lanes/0/replays', 'GET /keys', 'GET /lanes/2/replays', 'GET /below/replays']);
    expect(server.requests[0]?.headers.get('authorization')).toBe('Bearer secret');
    expect(server.requests[0]?.headers.get('milepost-operator')).not.toBe('');
  });

  it("reads a dead letter's record in the same lane, as bytes", async () => {
    const bytes = Buffer.from([0, 255, 10, 128]);
    answer = () => new Response(bytes);
    const chunks: Uint8Array[] = [];
    for await (const chunk of openRemote(server.origin, 1).readRecord(12)) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(bytes);
    expect(addresses()).toEqual(['GET /lanes/1/dead-letters/12/record']);
    expect(server.requests[0]?.headers.get('authorization')).toBe('Bearer secret');
  });
});

describe('a response from the operators API', () => {
  const failure = async (status: number, problem: unknown, lane?: number): Promise<Error> => {
    answer = () =>
      typeof problem === 'string' ? new Response(problem, { status }) : Response.json(problem, { status });
    const called = openRemote(server.origin, lane).call(retry, { ids: [1] });
    return await called.then(
      () => new Error('The call succeeded.'),
      (error: Error) => error,
    );
  };

  it("about wrong inputs is wrong usage, and names each input's flag", async () => {
    const errors = [
      { parameter: 'fleet_id', message: 'Must be an id.' },
      { parameter: 'accept_differences', message: 'Requires a promotion.' },
    ];
    const error = await failure(400, { detail: 'Two inputs are wrong.', errors });
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toBe('--fleet: Must be an id. --accept-differences: Requires a promotion.');
  });

  it('that refuses the operation is a failure, and suggests the next commands in the lane', async () => {
    const next = [{ operation: 'replay.list', input: {} }];
    const refused = await failure(409, { detail: 'Not now.', next }, 1);
    expect(refused).not.toBeInstanceOf(UsageError);
    expect(refused.message).toBe('Not now. Try `milepost replay list --lane 1`.');
    expect((await failure(400, { detail: 'The body is not JSON.' })).message).toBe('The body is not JSON.');
    expect((await failure(503, { detail: 'The database does not respond.' })).message).toBe(
      'The database does not respond.',
    );
  });

  it.each([
    ['a page', '<html>Bad gateway</html>'],
    ['other JSON', { error: 'Bad gateway' }],
    ['nothing', ''],
  ])('that is not from Milepost is reported with its status: %s', async (_what, problem) => {
    expect((await failure(502, problem)).message).toBe(
      `${server.origin} responded with status 502, but does not seem to be Milepost's API for operators. Check the address.`,
    );
  });
});

it('a server that does not respond is reported with its address and the cause', async () => {
  const [port = 0] = await freePorts(1);
  await expect(openRemote(`http://127.0.0.1:${port}`).call(listReplays, {})).rejects.toThrow(
    `http://127.0.0.1:${port} cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}.`,
  );
});

it.each(['', 'ops.example:3001', 'ftp://ops.example', 'http://', 'http://a b'])(
  'the server address %j is wrong usage',
  (address) => {
    expect(() => openRemote(address)).toThrow(UsageError);
    expect(() => openRemote(address)).toThrow('must be an address such as http://127.0.0.1:3001');
  },
);

it.each([undefined, ''])('a missing token is wrong usage (%j)', (token) => {
  vi.stubEnv('OPS_TOKEN', token);
  expect(() => openRemote(server.origin)).toThrow(UsageError);
  expect(() => openRemote(server.origin)).toThrow("needs the operators' token in OPS_TOKEN");
});
