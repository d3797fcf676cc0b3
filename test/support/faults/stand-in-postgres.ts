import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands in front of a PostgreSQL, under an address of its own. */
export interface StandInPostgres {
  url: string;
  close: () => void;
}

/**
 * Starts a server in the place of the one at `url`.
 *
 * @param onClient is given each connection as it comes, and a way to open its counterpart at the real server, which ends
 *   with it; bytes are passed on by whoever opens it
 */
export async function startStandIn(
  url: string,
  onClient: (client: Socket, openUpstream: () => Socket) => void,
): Promise<StandInPostgres> {
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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const standIn = new URL(url);
  standIn.hostname = '127.0.0.1';
  if (address !== null && typeof address === 'object') standIn.port = String(address.port);
  return { url: standIn.href, close: () => server.close() };
}
