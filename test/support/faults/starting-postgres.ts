import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { fatalErrorResponse } from './error-response.ts';

/** Stands in front of a PostgreSQL and answers as a server that is recovering does, until told that it is ready. */
export interface StartingPostgres {
  url: string;
  begin: () => void;
  close: () => void;
}

const NOT_READY = fatalErrorResponse('57P03', 'the database system is not yet accepting connections');

export async function startStartingPostgres(url: string): Promise<StartingPostgres> {
  const real = new URL(url);
  let isReady = false;
  const server = createServer((client) => {
    client.on('error', () => {});
    if (!isReady) {
      client.once('data', () => client.end(NOT_READY));
      return;
    }
    const upstream = connect({ host: real.hostname, port: Number(real.port) });
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const starting = new URL(url);
  starting.hostname = '127.0.0.1';
  if (address !== null && typeof address === 'object') starting.port = String(address.port);
  return {
    url: starting.href,
    begin: () => {
      isReady = true;
    },
    close: () => server.close(),
  };
}
