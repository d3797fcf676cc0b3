import { fatalErrorResponse } from './error-response.ts';
import { type StandInPostgres, startStandIn } from './stand-in-postgres.ts';

/** Answers as a server that is recovering does, until told that it is ready. */
interface StartingPostgres extends StandInPostgres {
  begin: () => void;
}

const NOT_READY = fatalErrorResponse('57P03', 'the database system is not yet accepting connections');

export async function startStartingPostgres(url: string): Promise<StartingPostgres> {
  let isReady = false;
  const standIn = await startStandIn(url, (client, openUpstream) => {
    if (isReady) client.pipe(openUpstream()).pipe(client);
    else client.once('data', () => client.end(NOT_READY));
  });
  return {
    ...standIn,
    begin: () => {
      isReady = true;
    },
  };
}
