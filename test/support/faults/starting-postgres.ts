import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Stands in front of a PostgreSQL and answers as a server that is recovering does, until told that it is ready. */
export interface StartingPostgres {
  url: string;
  begin: () => void;
  close: () => void;
}

/** ErrorResponse of the protocol: severity twice, code, message. https://www.postgresql.org/docs/18/protocol-message-formats.html */
function notReady(): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is not yet accepting connections'];
  const body = Buffer.from(`${fields.map((field) => `${field}\0`).join('')}\0`);
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export async function startStartingPostgres(url: string): Promise<StartingPostgres> {
  const real = new URL(url);
  let isReady = false;
  const server = createServer((client) => {
    client.on('error', () => {});
    if (!isReady) {
      client.once('data', () => client.end(notReady()));
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
