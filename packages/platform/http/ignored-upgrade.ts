import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Returns the size of a request without its body, assuming one space after each colon, which most clients send. */
function headBytes({ method, url, httpVersion, rawHeaders }: IncomingMessage): number {
  const colonsAndLineEnds = 2 * rawHeaders.length;
  const headers = rawHeaders.reduce((sum, text) => sum + text.length, colonsAndLineEnds);
  return `${method} ${url} HTTP/${httpVersion}\r\n`.length + headers + '\r\n'.length;
}

/**
 * Closes the connection after a request for another protocol (`Upgrade: h2c`) when Node has read more than the request.
 * The request itself gets a response, but Node's parser drops the rest of the chunk, so another request in the chunk
 * would never get one. If there are no more bytes, the connection stays open, because Java's client sends this header
 * on each of its connections.
 */
export function closeIgnoredUpgrades(server: Server): void {
  // This listener must run before Fastify's, which may respond immediately.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { connection, upgrade } = request.headers;
    if (upgrade === undefined || !/\bupgrade\b/i.test(connection ?? '')) return;
    if (request.socket.bytesRead !== headBytes(request)) response.setHeader('connection', 'close');
  });
}
