import { fatalErrorResponse } from './error-response.ts';
import { startPostgresProxy } from './postgres-proxy.ts';

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
