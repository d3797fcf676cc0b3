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
