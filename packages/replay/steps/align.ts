import { inTransaction, type Pool, type Transaction } from '@milepost/postgres';
import { type Generation, lockGenerations, lockLiveGenerations } from '@milepost/projections/engine';
import type { StepContext } from '../replay.ts';
import type { Throttled } from '../throttle/throttled.ts';
import { catchUp } from './catch-up.ts';

/** Two generations of one projection at one checkpoint. */
export interface Pair {
  live: Generation;
  replayed: Generation;
}

/**
 * Runs `work` in transactions that all see one snapshot, in which the replay's generations and the live ones stand at one
 * position. The live projector waits only while the last stored events are applied and the snapshot is taken.
 */
export async function withAligned<Result>(
  pool: Pool,
  context: StepContext,
  throttled: Throttled,
  work: (pairs: readonly Pair[], position: number, inSnapshot: InSnapshot) => Promise<Result>,
): Promise<Result> {
  const { members } = context;
  const names = members.map(({ projection }) => projection.name);
  const wanted = members.map(({ projection, generation }) => ({ projection: projection.name, generation }));
  await catchUp(pool, context, throttled);
  const snapshot = await pool.connect();
  try {
    const { pairs, position, id } = await inTransaction(pool, async (holder) => {
      const live = await lockLiveGenerations(holder, names);
      await catchUp(pool, context, throttled, true);
      // It is idle for as long as the others look, and ends with this connection.
      await snapshot.query('SET idle_in_transaction_session_timeout = 0');
      await snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const { rows } = await snapshot.query<{ id: string }>('SELECT pg_export_snapshot() AS id');
      const replayed = await lockGenerations(holder, wanted);
      const paired = live.flatMap((generation) => {
        const other = replayed.find((candidate) => candidate.projection === generation.projection);
        return other ? [{ live: generation, replayed: other }] : [];
      });
      const position = Math.max(...live.map(({ checkpoint }) => checkpoint));
      return { pairs: paired, position, id: rows[0]?.id ?? '' };
    });
    return await work(pairs, position, async (look) => {
      return await inTransaction(pool, async (transaction) => {
        await transaction.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
        await transaction.run(`SET TRANSACTION SNAPSHOT '${id}'`);
        return await look(transaction);
      });
    });
  } finally {
    // Rolls back, which ends the snapshot.
    snapshot.release(true);
  }
}

/** Runs `look` in a transaction on the snapshot. */
export type InSnapshot = <Found>(look: (transaction: Transaction) => Promise<Found>) => Promise<Found>;
