import { boolean, columns, date, inTransaction, nullable, type RowOf, statement } from '@milepost/postgres';
import { type ComparisonResult, compareRows, tableOf } from '@milepost/projections/engine';
import { holdReplay, setPhase } from '../lease.ts';
import type { Phase, TableVerification, Verification } from '../replay.ts';
import { type InSnapshot, type Pair, withAligned } from './align.ts';
import { memberNamed, type StepContext } from './context.ts';
import { withWorkers } from './with-workers.ts';

/** Tables compared at once where nobody is to be spared. */
const MOST_WORKERS = 2;

/** The first day that every generation keeps; null when all keep everything. */
const READ_CUTOFF = statement('read-cutoff', { cutoff: nullable(date) })`
  SELECT max(cutoff) AS cutoff FROM projection.generation
  WHERE (projection, generation) IN (SELECT * FROM unnest($1::text[], $2::integer[]))`;

/** Says what the operator wants by now: it may have changed since the replay was read. */
const STORE_VERIFICATION = statement('store-replay-verification', columns(boolean, 'promote', 'accept_differences'))`
  UPDATE projection.replay SET verification = $2 WHERE replay_id = $1 RETURNING promote, accept_differences`;

type Wanted = RowOf<typeof STORE_VERIFICATION>;

function tableReport({ live, replayed }: Pair, result: ComparisonResult, changes: object | null): TableVerification {
  return {
    projection: live.projection,
    live: { generation: live.generation, version: live.version, rows: result.left_rows },
    replayed: { generation: replayed.generation, version: replayed.version, rows: result.right_rows },
    equal: result.differing_day_count === 0,
    expected: result.differing_day_count === 0 || live.version !== replayed.version,
    differences: result.differences,
    differing_day_count: result.differing_day_count,
    differing_days: result.differing_days.map(({ day, left_rows, right_rows }) => ({
      day,
      live_rows: left_rows,
      replayed_rows: right_rows,
    })),
    samples: result.samples.map(({ day, key, left, right }) => ({ day, key, live: left, replayed: right })),
    changes,
  };
}

async function verifyTable(
  context: StepContext,
  pair: Pair,
  cutoff: string | null,
  inSnapshot: InSnapshot,
): Promise<TableVerification> {
  const { projection, table: replayed } = memberNamed(context, pair.live.projection);
  const tables = { live: tableOf(projection.name, pair.live.generation), replayed };
  return await inSnapshot(async (transaction) => {
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
  inSnapshot: InSnapshot,
): Promise<Verification> {
  const generations = pairs.flatMap(({ live, replayed }) => [live, replayed]);
  const names = generations.map(({ projection }) => projection);
  const values = [names, generations.map(({ generation }) => generation)];
  const cutoff = await inSnapshot(async (transaction) => {
    const [row] = await transaction.rows(READ_CUTOFF, values);
    return row?.cutoff ?? null;
  });
  const tables: TableVerification[] = [];
  const workers = context.throttled.throttle === 'off' ? MOST_WORKERS : 1;
  await withWorkers(pairs, workers, context.signal, async (pair) => {
    tables.push(await verifyTable(context, pair, cutoff, inSnapshot));
  });
  return {
    position,
    compared_at: new Date().toISOString(),
    cutoff,
    equal: tables.every((table) => table.equal),
    expected: tables.every((table) => table.expected),
    differences: tables.reduce((sum, table) => sum + table.differences, 0),
    tables: tables.sort((left, right) => (left.projection < right.projection ? -1 : 1)),
  };
}

/** Where a verified replay goes on. */
function nextPhase(
  verification: Verification,
  { promote, accept_differences }: Wanted,
): { phase: Phase; error: string | null } {
  if (!promote) return { phase: 'waiting', error: null };
  return verification.expected || accept_differences
    ? { phase: 'promoting', error: null }
    : {
        phase: 'waiting',
        error: `Not promoted: ${verification.differences} rows differ from the live read tables, and no changed version explains it.`,
      };
}

/**
 * Compares the new generations with the live ones at one common position, keeps the report, and moves the replay on. What
 * is equal, or differs because of a changed version, may be promoted; anything else waits for the operator.
 */
export async function verify(context: StepContext): Promise<void> {
  const { pool, replay, epoch } = context;
  const verification = await withAligned(context, async (pairs, position, inSnapshot) => {
    return await compareAll(context, pairs, position, inSnapshot);
  });
  await inTransaction(pool, async (transaction) => {
    await holdReplay(transaction, replay, epoch);
    const values = [replay.id, JSON.stringify(verification)];
    const [wanted = replay] = await transaction.rows(STORE_VERIFICATION, values);
    // In the transaction that holds the replay: a request to promote that comes after it meets a replay that waits.
    const { phase, error } = nextPhase(verification, wanted);
    await setPhase(transaction, replay, epoch, phase, error);
  });
}
