import { once } from 'node:events';
import { createServer } from 'node:net';
import { HOST } from './names.ts';

async function tryPort(port: number): Promise<number | null> {
  const server = createServer();
  try {
    server.listen({ port, host: HOST });
    await once(server, 'listening');
    const address = server.address();
    return address !== null && typeof address === 'object' ? address.port : null;
  } catch {
    return null;
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Returns `preferred` if this port is free on 127.0.0.1, or else any other free port. */
export async function freePort(preferred: number | null): Promise<number> {
  const port = (preferred === null ? null : await tryPort(preferred)) ?? (await tryPort(0));
  if (port === null) throw new Error(`PostgreSQL needs a TCP port, but no port is free on ${HOST}.`);
  return port;
}
