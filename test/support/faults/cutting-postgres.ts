import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { fatalErrorResponse } from './error-response.ts';

/** Stands in front of a PostgreSQL and cuts one connection in the very moment in which it becomes ready. */
export interface CuttingPostgres {
  url: string;
  hasCut: () => boolean;
  close: () => void;
}

const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const CUT = fatalErrorResponse('57P01', 'terminating connection due to administrator command');

/** @param ordinal which connection is cut, the first being 1 */
export async function startCuttingPostgres(url: string, ordinal: number): Promise<CuttingPostgres> {
  const real = new URL(url);
  let connections = 0;
  let hasCut = false;
  const server = createServer((client) => {
    connections += 1;
    const isDoomed = connections === ordinal;
    const upstream = connect({ host: real.hostname, port: Number(real.port) });
    for (const socket of [client, upstream]) socket.on('error', () => {});
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      if (!isDoomed || hasCut || !chunk.includes(READY_FOR_QUERY)) {
        client.write(chunk);
        return;
      }
      hasCut = true;
      // In one piece: a client reads both messages before anything that waited for the first of them goes on.
      client.end(Buffer.concat([chunk, CUT]));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const cutting = new URL(url);
  cutting.hostname = '127.0.0.1';
  if (address !== null && typeof address === 'object') cutting.port = String(address.port);
  return { url: cutting.href, hasCut: () => hasCut, close: () => server.close() };
}
