import { fatalErrorResponse } from './error-response.ts';
import { type StandInPostgres, startStandIn } from './stand-in-postgres.ts';

/** Cuts one connection in the very moment in which it becomes ready. */
export interface CuttingPostgres extends StandInPostgres {
  hasCut: () => boolean;
}

const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const CUT = fatalErrorResponse('57P01', 'terminating connection due to administrator command');

/** @param ordinal which connection is cut, the first being 1 */
export async function startCuttingPostgres(url: string, ordinal: number): Promise<CuttingPostgres> {
  let connections = 0;
  let hasCut = false;
  const standIn = await startStandIn(url, (client, openUpstream) => {
    connections += 1;
    const isDoomed = connections === ordinal;
    const upstream = openUpstream();
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
  return { ...standIn, hasCut: () => hasCut };
}
