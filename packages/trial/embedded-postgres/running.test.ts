import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fatalErrorResponse } from '../../../test/support/faults/error-response.ts';
import { ask } from './running.ts';

let server: Server;
let response: Buffer;

beforeEach(async () => {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => server.close());

async function answer(code: string, message: string): Promise<string> {
  response = fatalErrorResponse(code, message);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return await ask(`postgresql://milepost:password@127.0.0.1:${address.port}/milepost`);
}

// A busy server must not be killed, because its recovery would begin again after each kill.
it.each([
  ['busy', '57P03', 'the database system is starting up'],
  ['busy', '57P03', 'the database system is not yet accepting connections'],
  ['busy', '57P03', 'the database system is in recovery mode'],
  ['busy', '53300', 'sorry, too many clients already'],
  ['stopping', '57P03', 'the database system is shutting down'],
  ['silent', 'XX000', 'internal error'],
])('ask calls a server %s that answers %s: %s', async (expected, code, message) => {
  expect(await answer(code, message)).toBe(expected);
});

it.each([
  ['28P01', 'password authentication failed for user "milepost"'],
  ['3D000', 'database "milepost" does not exist'],
])('ask throws the refusal %s: %s', async (code, message) => {
  await expect(answer(code, message)).rejects.toThrow(message);
});
