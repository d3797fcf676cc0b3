import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Linux chooses ports for outgoing connections from 32768 upwards, so no connection takes a lower port before the
 * caller does.
 */
const FIRST_PORT = 15_000;
const LAST_PORT = 32_000;

async function listen(): Promise<{ server: Server; port: number }> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    const server = createServer().listen(port, '127.0.0.1');
    const isListening = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isListening) return { server, port };
  }
}

/** Returns free TCP ports on 127.0.0.1. They are all different, because all of them are opened before any is closed. */
export async function freePorts(count: number): Promise<number[]> {
  const opened = await Promise.all(Array.from({ length: count }, listen));
  await Promise.all(opened.map(({ server }) => new Promise((resolve) => server.close(resolve))));
  return opened.map(({ port }) => port);
}

/** Returns settings with these names, each with its own free port. */
export async function portSettings(...names: string[]): Promise<Record<string, string>> {
  const ports = await freePorts(names.length);
  return Object.fromEntries(names.map((name, index) => [name, String(ports[index])]));
}
