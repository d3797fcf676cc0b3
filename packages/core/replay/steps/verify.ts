import { columns, inTransaction, type RowOf, statement } from '@milepost/postgres';
import { compareRows, keysOf, tableOf } from '@milepost/projections/engine';
import { holdReplay, setPhase } from '../lease.ts';
import type { Phase } from '../replay.ts';
import { type Pair, type TableVerification, tableReport, type Verification, verificationOf } from '../verification.ts';
import { type OnSnapshot, withAligned } from './align.ts';
import { memberNamed, type StepContext } from './context.ts';
import { withWorkers } from './with-workers.ts';

/** How many tables are compared concurrently if there is no throttle. */
const MAX_WORKERS = 2;

/** The first day for which every generation keeps rows; null when all generations keep all rows. */
const READ_CUTOFF = statement('read-cutoff', { cutoff: 'date?' })`
  SELECT max(cutoff) AS cutoff FROM generation
  WHERE (projection, generation) IN (SELECT * FROM unnest($1::text[], $2::integer[]))`;

/** Stores the report and returns the operator's current request, which may have changed since the replay was read. */
const STORE_VERIFICATION = statement('store-replay-verification', columns('boolean', 'promote', 'accept_differences'))`
  UPDATE replay SET verification = $2 WHERE replay_id = $1 RETURNING promote, accept_differences`;

type Wanted = RowOf<typeof STORE_VERIFICATION>;

async function verifyTable(
  context: StepContext,
  pair: Pair,
  cutoff: string | null,
  onSnapshot: OnSnapshot,
): Promise<TableVerification> {
  const { projection, table: replayed } = memberNamed(context, pair.live.projection);
  const tables = { live: tableOf(projection.name, pair.live.generation), replayed };
  return await onSnapshot(async (transaction) => {
    const left = projection.rows(tables.live);
    const right = projection.rows(tables.replayed);
    const result = await compareRows(transaction, { left, right, parameters: [], cutoff });
    const changes =
      result.differing_day_count > 0 ? await projection.describeChanges?.(transaction, tables, cutoff) : null;
    return tableReport(pair, result, changes ?? null);
  });
}

async function compareAll(
  context: StepContext,
  pairs: readonly Pair[],
  position: number,
  onSnapshot: OnSnapshot,
): Promise<Verification> {
  const generations = pairs.flatMap(({ live, replayed }) => [live, replayed]);
  const { cutoff } = await onSnapshot(async (transaction) => {
    return await transaction.row(READ_CUTOFF, keysOf(generations));
  });
  const tables: TableVerification[] = [];
  const workers = context.throttled.throttle === 'off' ? MAX_WORKERS : 1;
  await withWorkers(pairs, workers, context.signal, async (pair) => {
    tables.push(await verifyTable(context, pair, cutoff, onSnapshot));
  });
  return verificationOf(position, cutoff, tables);
}

/** Returns the phase that follows a replay's verification. */
function nextPhase(
  verification: Verification,
  { promote, accept_differences }: Wanted,
): { phase: Phase; error: string | null } {
  if (!promote) return { phase: 'waiting', error: null };
  return verification.expected || accept_differences
    ? { phase: 'promoting', error: null }
    : {
        phase: 'waiting',
        error: `Not promoted: ${verification.differences} rows differ from the live read tables, and no version change explains the difference.`,
      };
}

/**
 * Compares the new generations with the live ones at the same position, stores the report, and moves the replay to its
 * next phase. The replay can be promoted if its tables equal the live ones, or differ from them because of a version
 * change. In all other cases, the replay waits for the operator.
 */
export async function verify(context: StepContext): Promise<void> {
  const { pool, replay } = context;
  const verification = await withAligned(context, async (pairs, position, onSnapshot) => {
    return await compareAll(context, pairs, position, onSnapshot);
  });
  await inTransaction(pool, async (transaction) => {
    await holdReplay(transaction, replay);
    const values = [replay.id, JSON.stringify(verification)];
    const wanted = await transaction.row(STORE_VERIFICATION, values);
    // The phase is set in the transaction that has locked the replay. A request to promote that arrives later thus
    // finds the replay waiting.
    const { phase, error } = nextPhase(verification, wanted);
    await setPhase(transaction, replay, phase, error);
  });
}
