import { fatalErrorResponse } from './error-response.ts';
import { startPostgresProxy } from './postgres-proxy.ts';

const NOT_READY = fatalErrorResponse('57P03', 'the database system is not yet accepting connections');

/** Starts a proxy that responds like a recovering server until `begin` is called. */
export async function startStartingPostgres(url: string) {
  let isReady = false;
  const proxy = await startPostgresProxy(url, (client, openUpstream) => {
    if (isReady) client.pipe(openUpstream()).pipe(client);
    else client.once('data', () => client.end(NOT_READY));
  });
  const begin = () => {
    isReady = true;
  };
  return { ...proxy, begin };
}
