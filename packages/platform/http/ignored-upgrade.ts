import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Returns the bytes of a request up to its body. Nearly all clients write one space after each colon. */
function headBytes({ method, url, httpVersion, rawHeaders }: IncomingMessage): number {
  const colonsAndLineEnds = 2 * rawHeaders.length;
  const headers = rawHeaders.reduce((sum, text) => sum + text.length, colonsAndLineEnds);
  return `${method} ${url} HTTP/${httpVersion}\r\n`.length + headers + '\r\n'.length;
}

/**
 * Closes the connection after a request for another protocol (`Upgrade: h2c`) when Node has read more than the request.
 * The request gets its answer, but Node's parser drops the rest of the same chunk. If a client sent another request in
 * that chunk, it would never get an answer to it. Without further bytes the connection stays open: Java's client sends
 * this header on each of its connections.
 */
export function closeIgnoredUpgrades(server: Server): void {
  // Run before Fastify's listener, which may answer immediately.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { connection, upgrade } = request.headers;
    if (upgrade === undefined || !/\bupgrade\b/i.test(connection ?? '')) return;
    if (request.socket.bytesRead !== headBytes(request)) response.setHeader('connection', 'close');
  });
}
