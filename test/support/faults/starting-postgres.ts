import { fatalErrorResponse } from './error-response.ts';
import { type PostgresProxy, startPostgresProxy } from './postgres-proxy.ts';

/** A proxy that responds like a recovering server until `begin` is called. */
interface StartingPostgres extends PostgresProxy {
  begin: () => void;
}

const NOT_READY = fatalErrorResponse('57P03', 'the database system is not yet accepting connections');

export async function startStartingPostgres(url: string): Promise<StartingPostgres> {
  let isReady = false;
  const proxy = await startPostgresProxy(url, (client, openUpstream) => {
    if (isReady) client.pipe(openUpstream()).pipe(client);
    else client.once('data', () => client.end(NOT_READY));
  });
  return {
    ...proxy,
    begin: () => {
      isReady = true;
    },
  };
}
