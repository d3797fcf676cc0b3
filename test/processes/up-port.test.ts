import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { assertPortFree, waitUntilReady } from '../../apps/cli/up/address.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { startScriptedServer } from '../support/scripted-server.ts';
import { freePorts } from '../support/services/free-port.ts';

/** Occupies a port on one address until the test ends. */
async function take(host: string): Promise<number> {
  const [port = 0] = await freePorts(1);
  const server = createServer().listen({ host, port });
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return port;
}

describe('the port of a process', () => {
  it('is refused while a program listens on all addresses', async () => {
    const port = await take('0.0.0.0');
    await expect(assertPortFree('127.0.0.1', port, 'PORT')).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`);
  });

  // Other systems have only one loopback address for IPv4.
  it.runIf(process.platform === 'linux')('is free while a program listens only on another address', async () => {
    const port = await take('127.0.0.2');
    await expect(assertPortFree('127.0.0.1', port, 'PORT')).resolves.toBeUndefined();
    await expect(assertPortFree('0.0.0.0', port, 'PORT')).rejects.toThrow(`Port ${port} on 0.0.0.0 is in use`);
  });

  it('is refused on an address that this machine does not have', async () => {
    const [port = 0] = await freePorts(1);
    // RFC 5737 reserves this address for documentation.
    await expect(assertPortFree('192.0.2.1', port, 'PORT')).rejects.toThrow(
      'This machine does not have the address 192.0.2.1',
    );
  });
});

describe('the wait for a process', () => {
  const { signal } = new AbortController();

  async function scripted(...statuses: number[]) {
    const answers = statuses.map((status) => (response: ServerResponse) => response.writeHead(status).end());
    return untilTestEnds(await startScriptedServer(answers));
  }

  it.each([
    ['api', '/readyz'],
    ['ops', '/healthz'],
  ] as const)('ends when the process %s responds successfully at %s', async (process, path) => {
    const { origin, seen } = await scripted(503, 404, 200);
    await waitUntilReady(process, origin, signal);
    expect(seen.map(({ url }) => url)).toEqual([path, path, path]);
  });

  it('ends with the reason why it was stopped', async () => {
    const { origin, seen } = await scripted(503);
    const controller = new AbortController();
    const waiting = waitUntilReady('api', origin, controller.signal).then(String, String);
    await expect.poll(() => seen.length).toBeGreaterThan(1);
    controller.abort(new Error('Ctrl-C.'));
    expect(await waiting).toBe('Error: Ctrl-C.');
    const asked = seen.length;
    await expect(waitUntilReady('api', origin, controller.signal)).rejects.toThrow('Ctrl-C.');
    expect(seen).toHaveLength(asked);
  });
});
