import type { Statement, Transaction } from '@milepost/postgres';

/** The generation of a projection that readers see. */
export interface LiveGeneration {
  projection: string;
  generation: number;
  version: number;
  checkpoint: number;
}

/** Locked in one order, so that two projectors wait for each other instead of deadlocking. */
const LOCK_LIVE_GENERATIONS: Statement = {
  name: 'lock-live-generations',
  text: `SELECT projection, generation, version, checkpoint FROM projection.generation
         WHERE live ORDER BY projection FOR UPDATE`,
};

/** The live generations, locked until the transaction ends: a second projector waits, then sees what the first has done. */
export async function lockLiveGenerations(transaction: Transaction): Promise<LiveGeneration[]> {
  return await transaction.rows<LiveGeneration>(LOCK_LIVE_GENERATIONS);
}
