import { inTransaction, isTransientError, type Pool, query, statement, type Transaction } from '@milepost/postgres';
import { type Chunk, type Filling, type FillStage, rangeOf } from '@milepost/projections/engine';
import { fillingOf, memberNamed, type StepContext } from './context.ts';

const DESCRIBE_STORED_EVENT = statement('describe-stored-event', { description: 'text' })`
  SELECT concat_ws(', ', 'fleet ' || fleet_id, 'driver ' || driver_id, 'trip ' || replace(trip_id::text, '-', ''),
    'revision ' || revision, 'from ' || topic || '/' || partition || ' offset ' || source_offset) AS description
  FROM stored_event LEFT JOIN log_source USING (source_id) WHERE position = $1`;

/** Describes the stored event at a position by its source and its subject. */
export async function describeStoredEvent(pool: Pool, position: number): Promise<string> {
  const rows = await query(pool, DESCRIBE_STORED_EVENT, [position]);
  return rows[0]?.description ?? 'which is not in the log';
}

/** Thrown at the end of a trial, so that its transaction is rolled back. */
class TrialEnded extends Error {}

/** Tries the work in a transaction that is always rolled back. Returns whether the work throws. */
async function fails(pool: Pool, work: (transaction: Transaction) => Promise<void>): Promise<boolean> {
  try {
    await inTransaction(pool, async (transaction) => {
      await work(transaction);
      throw new TrialEnded();
    });
  } catch (error) {
    if (isTransientError(error)) throw error;
    return !(error instanceof TrialEnded);
  }
  return false;
}

/**
 * Bisects a chunk of positions to find the first one that fails. If the whole chunk fails but its parts do not, returns
 * the chunk's last position.
 */
async function failingPosition(pool: Pool, stage: FillStage, chunk: Chunk, filling: Filling): Promise<number> {
  let { after, through } = rangeOf(chunk);
  while (through - after > 1) {
    const middle = Math.floor((after + through) / 2);
    const half = { after: [String(after)], through: [String(middle)], events: middle - after };
    if (await fails(pool, async (transaction) => await stage.run(transaction, half, filling))) through = middle;
    else after = middle;
  }
  return through;
}

/**
 * Returns the error that halts a replay after its fold has thrown. The error names the stored event or the range of
 * rows that fails.
 */
export async function failureOf(
  context: StepContext,
  chunk: Chunk & { projection: string; stage: number },
  cause: unknown,
): Promise<Error> {
  const { pool } = context;
  const member = memberNamed(context, chunk.projection);
  const filling = fillingOf(context, member);
  const reason = cause instanceof Error ? cause.message : String(cause);
  const name = [...filling.tables.keys()].join(' with ');
  const stage = member.projection.fill.stages[chunk.stage];
  if (!stage?.byPosition) {
    const through = chunk.through.join('/');
    return new Error(
      `Projection ${name} cannot finish its rows after ${chunk.after.join('/')}, up to and including ${through}: ${reason}`,
      { cause },
    );
  }
  const position = await failingPosition(pool, stage, chunk, filling);
  const event = await describeStoredEvent(pool, position);
  return new Error(`Projection ${name} cannot apply the stored event at position ${position} (${event}): ${reason}`, {
    cause,
  });
}
