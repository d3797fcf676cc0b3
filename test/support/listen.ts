import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Server } from 'node:net';

/** Opens a free port of 127.0.0.1 for a server and returns the port. */
export async function listenLocally(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port.');
  return address.port;
}

/** Starts an HTTP server on a free port of 127.0.0.1. `close` ends all its connections. */
export async function serveLocally(listener: RequestListener) {
  const server = createServer(listener);
  const origin = `http://127.0.0.1:${await listenLocally(server)}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { server, origin, close };
}
