import type { Statement, Transaction } from '@milepost/postgres';

/** A build of a projection's read table, and how far it has come. */
export interface Generation {
  projection: string;
  generation: number;
  version: number;
  checkpoint: number;
}

/** Locked in one order, so that two processes wait for each other instead of deadlocking. */
const LOCK_LIVE_GENERATIONS: Statement = {
  name: 'lock-live-generations',
  text: `SELECT projection, generation, version, checkpoint FROM projection.generation
         WHERE live AND projection = ANY ($1) ORDER BY projection FOR UPDATE`,
};

/**
 * The generations that readers see, of those projections among `names` that have one; locked until the transaction ends:
 * a second projector waits, then sees what the first has done.
 */
export async function lockLiveGenerations(transaction: Transaction, names: readonly string[]): Promise<Generation[]> {
  const live = await transaction.rows<Generation>(LOCK_LIVE_GENERATIONS, [names]);
  // A promotion for which we waited has made a row live that our statement's snapshot did not have.
  return live.length === names.length ? live : await transaction.rows(LOCK_LIVE_GENERATIONS, [names]);
}
