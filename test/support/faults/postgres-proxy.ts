import { connect, createServer, type Socket } from 'node:net';
import { listenLocally } from '../listen.ts';

/**
 * Starts a TCP server in front of the PostgreSQL server at `url`.
 *
 * @param onClient called with each client connection and a function that opens a connection to the PostgreSQL server.
 * Both connections close together. The callback forwards the bytes.
 */
export async function startPostgresProxy(url: string, onClient: (client: Socket, openUpstream: () => Socket) => void) {
  const real = new URL(url);
  const server = createServer((client) => {
    client.on('error', () => {});
    onClient(client, () => {
      const upstream = connect({ host: real.hostname, port: Number(real.port) });
      upstream.on('error', () => {});
      upstream.on('close', () => client.destroy());
      client.on('close', () => upstream.destroy());
      return upstream;
    });
  });
  const proxy = new URL(url);
  proxy.host = `127.0.0.1:${await listenLocally(server)}`;
  return { url: proxy.href, close: () => void server.close() };
}

/**
 * Returns the message that PostgreSQL sends before it ends a connection. The message contains the severity twice, the
 * code and a description. See https://www.postgresql.org/docs/18/protocol-message-formats.html.
 *
 * @param code an SQLSTATE, which has five characters
 */
export function fatalErrorResponse(code: string, message: string): Buffer {
  const fields = ['SFATAL', 'VFATAL', `C${code}`, `M${message}`];
  const body = Buffer.from(`${fields.map((field) => `${field}\0`).join('')}\0`);
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const CUT = fatalErrorResponse('57P01', 'terminating connection due to administrator command');

/** Starts a PostgreSQL proxy that cuts the first connection that is ready for a statement. */
export async function startCuttingPostgres(url: string) {
  let hasCut = false;
  const proxy = await startPostgresProxy(url, (client, openUpstream) => {
    const upstream = openUpstream();
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      if (hasCut || !chunk.includes(READY_FOR_QUERY)) {
        client.write(chunk);
        return;
      }
      hasCut = true;
      // Both messages are in one chunk, so the client reads the second message before any code that awaits the first
      // message can run.
      client.end(Buffer.concat([chunk, CUT]));
    });
  });
  return { ...proxy, hasCut: () => hasCut };
}

/** Starts a PostgreSQL proxy that forwards the server's bytes, and the client's bytes as `forward` decides. */
export async function startForwardingPostgres(
  url: string,
  forward: (bytes: Buffer, upstream: Socket, client: Socket) => unknown,
) {
  return await startPostgresProxy(url, (client, openUpstream) => {
    const upstream = openUpstream();
    upstream.pipe(client);
    client.on('data', (bytes) => forward(bytes, upstream, client));
  });
}
