import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { assertPortFree } from '../../apps/cli/up/address.ts';
import { freePorts } from '../support/services/free-port.ts';

/** Takes a port on one address until the test ends. */
async function take(host: string): Promise<number> {
  const [port = 0] = await freePorts(1);
  const server = createServer().listen({ host, port });
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return port;
}

describe('the port of a process', () => {
  it('is refused while a program listens on its address, with the setting that changes it', async () => {
    const port = await take('127.0.0.1');
    await expect(assertPortFree('127.0.0.1', port, 'OPS_PORT')).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use: stop the program that uses it, or set OPS_PORT to another port.`,
    );
  });

  it('is refused while a program listens on all addresses', async () => {
    const port = await take('0.0.0.0');
    await expect(assertPortFree('127.0.0.1', port, 'PORT')).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`);
  });

  // Other systems have only one loopback address of IPv4.
  it.runIf(process.platform === 'linux')('is free while a program listens on another address only', async () => {
    const port = await take('127.0.0.2');
    await expect(assertPortFree('127.0.0.1', port, 'PORT')).resolves.toBeUndefined();
    await expect(assertPortFree('0.0.0.0', port, 'PORT')).rejects.toThrow(`Port ${port} on 0.0.0.0 is in use`);
  });

  it('is refused on an address that this machine does not have', async () => {
    const [port = 0] = await freePorts(1);
    // RFC 5737 reserves this address for documents.
    await expect(assertPortFree('192.0.2.1', port, 'PORT')).rejects.toThrow(
      '192.0.2.1 is not an address of this machine',
    );
  });

  it('is free again after the check', async () => {
    const [port = 0] = await freePorts(1);
    await assertPortFree('127.0.0.1', port, 'PORT');
    await assertPortFree('127.0.0.1', port, 'PORT');
  });
});
