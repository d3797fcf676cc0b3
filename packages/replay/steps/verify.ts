import { inTransaction, type Pool } from '@milepost/postgres';
import { type ComparisonResult, compareRows, tableOf } from '@milepost/projections/engine';
import type { Phase, Replay, StepContext } from '../replay.ts';
import { readHorizon } from '../sql/horizon.ts';
import { setPhase } from '../sql/set-phase.ts';
import { storeVerification } from '../sql/store-verification.ts';
import type { Throttled } from '../throttle/throttled.ts';
import type { TableVerification, Verification } from '../verification.ts';
import { type InSnapshot, type Pair, withAligned } from './align.ts';
import { inSlots } from './in-slots.ts';

/** Tables compared at once where nobody is to be spared. */
const MOST_SLOTS = 2;

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
  { members }: StepContext,
  pair: Pair,
  horizon: string | null,
  inSnapshot: InSnapshot,
): Promise<TableVerification> {
  const projection = members.find((member) => member.projection.name === pair.live.projection)?.projection;
  if (!projection) throw new Error(`Projection ${pair.live.projection} has no share in the replay.`);
  const tables = {
    live: tableOf(pair.live.projection, pair.live.generation),
    replayed: tableOf(pair.live.projection, pair.replayed.generation),
  };
  return await inSnapshot(async (transaction) => {
    const left = projection.rows(tables.live);
    const right = projection.rows(tables.replayed);
    const result = await compareRows(transaction, { left, right, parameters: [], horizon });
    const changes =
      result.differing_day_count > 0 ? await projection.describeChanges?.(transaction, tables, horizon) : null;
    return tableReport(pair, result, changes ?? null);
  });
}

async function compareAll(
  context: StepContext,
  pairs: readonly Pair[],
  position: number,
  horizon: string | null,
  slots: number,
  inSnapshot: InSnapshot,
): Promise<Verification> {
  const tables: TableVerification[] = [];
  await inSlots(pairs, slots, context.signal, async (pair) => {
    tables.push(await verifyTable(context, pair, horizon, inSnapshot));
  });
  return {
    position,
    compared_at: new Date().toISOString(),
    horizon,
    equal: tables.every((table) => table.equal),
    expected: tables.every((table) => table.expected),
    differences: tables.reduce((sum, table) => sum + table.differences, 0),
    tables: tables.sort((left, right) => (left.projection < right.projection ? -1 : 1)),
  };
}

/** Where a verified replay goes on. */
function nextPhase(
  verification: Verification,
  { promote, accept_differences }: Pick<Replay, 'promote' | 'accept_differences'>,
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
export async function verify(pool: Pool, context: StepContext, throttled: Throttled): Promise<void> {
  const { replay, epoch } = context;
  const verification = await withAligned(pool, context, throttled, async (pairs, position, inSnapshot) => {
    const horizon = await inSnapshot(async (transaction) => await readHorizon(transaction, pairs));
    const slots = throttled.throttle === 'off' ? MOST_SLOTS : 1;
    return await compareAll(context, pairs, position, horizon, slots, inSnapshot);
  });
  await inTransaction(pool, async (transaction) => {
    const wanted = await storeVerification(transaction, replay, epoch, verification);
    // In the transaction that holds the replay: a request to promote that comes after it meets a replay that waits.
    const { phase, error } = nextPhase(verification, wanted);
    await setPhase(transaction, replay, epoch, phase, error);
  });
}
