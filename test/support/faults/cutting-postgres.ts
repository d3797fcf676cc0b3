import { fatalErrorResponse } from './error-response.ts';
import { type PostgresProxy, startPostgresProxy } from './postgres-proxy.ts';

const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const CUT = fatalErrorResponse('57P01', 'terminating connection due to administrator command');

/**
 * Starts a PostgreSQL proxy that cuts one connection when that connection is ready for a statement.
 *
 * @param ordinal the number of the connection to cut; the first is 1
 * @param statements how many statements the connection completes between the login and the cut
 */
export async function startCuttingPostgres(
  url: string,
  ordinal: number,
  statements = 0,
): Promise<PostgresProxy & { hasCut: () => boolean }> {
  let connections = 0;
  let hasCut = false;
  const proxy = await startPostgresProxy(url, (client, openUpstream) => {
    connections += 1;
    const isDoomed = connections === ordinal;
    let completed = -1;
    const upstream = openUpstream();
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      if (chunk.includes(READY_FOR_QUERY)) completed += 1;
      if (!isDoomed || hasCut || completed < statements) {
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
