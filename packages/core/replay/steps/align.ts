import { inSnapshot, inTransaction, queryRow, statement, type Transaction, unprepared } from '@milepost/postgres';
import { lockGenerations, lockLiveGenerations } from '@milepost/projections/engine';
import { ReplayTakenError } from '../errors.ts';
import type { Pair } from '../verification.ts';
import { catchUp } from './catch-up.ts';
import type { StepContext } from './context.ts';

const EXPORT_SNAPSHOT = statement('export-snapshot', { id: 'text' })`SELECT pg_export_snapshot() AS id`;

/**
 * Runs `work` in transactions that share a snapshot, in which the replay's generations and the live ones are at the
 * same position. The live projector waits only while the last stored events are applied and the snapshot is exported.
 */
export async function withAligned<Result>(
  context: StepContext,
  work: (pairs: readonly Pair[], position: number, onSnapshot: OnSnapshot) => Promise<Result>,
): Promise<Result> {
  const { pool, members } = context;
  const names = members.map(({ projection }) => projection.name);
  const wanted = members.map(({ projection, generation }) => ({ projection: projection.name, generation }));
  await catchUp(context);
  const snapshot = await pool.connect();
  try {
    const { pairs, position, id } = await inTransaction(pool, async (holder) => {
      const live = await lockLiveGenerations(holder, names);
      // If another worker has promoted the replay, its generations are live and now locked by this transaction.
      // Catching up would then wait for this lock.
      const isPromoted = live.some(({ projection, generation }) =>
        wanted.some((each) => each.projection === projection && each.generation === generation),
      );
      if (isPromoted) throw new ReplayTakenError(context.replay.id);
      await catchUp(context, true);
      // The transaction that exports the snapshot stays idle while the others read. It ends with this connection.
      await unprepared(snapshot, {}, 'SET idle_in_transaction_session_timeout = 0');
      await unprepared(snapshot, {}, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const { id } = await queryRow(snapshot, EXPORT_SNAPSHOT);
      const replayed = await lockGenerations(holder, wanted);
      const paired = live.flatMap((generation) => {
        const other = replayed.find((candidate) => candidate.projection === generation.projection);
        return other ? [{ live: generation, replayed: other }] : [];
      });
      const position = Math.max(...live.map(({ checkpoint }) => checkpoint));
      return { pairs: paired, position, id };
    });
    const onSnapshot: OnSnapshot = async (read) =>
      await inSnapshot(pool, async (transaction) => {
        await transaction.run(`SET TRANSACTION SNAPSHOT '${id}'`);
        return await read(transaction);
      });
    try {
      return await work(pairs, position, onSnapshot);
    } catch (error) {
      // If the snapshot is gone, its connection has been lost. This statement then fails with the connection's own
      // error, which counts as transient.
      await unprepared(snapshot, {}, 'SELECT');
      throw error;
    }
  } finally {
    // Closes the connection, so the transaction is rolled back and the snapshot ends.
    snapshot.release(true);
  }
}

/** Runs reads in a transaction on the snapshot. */
export type OnSnapshot = <Found>(read: (transaction: Transaction) => Promise<Found>) => Promise<Found>;
