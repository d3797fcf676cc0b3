import {
  inTransaction,
  isTransientError,
  type Pool,
  StatementSkippedError,
  sqlState,
  type Transaction,
} from '@milepost/postgres';
import { type Generation, headPosition, lockLiveGenerations, moveCheckpoints } from './checkpoints.ts';
import { CheckpointMovedError, ProjectionFailedError, ProjectionVersionError } from './errors.ts';
import type { PositionRange } from './fill.ts';
import { type Projection, tableOf } from './projection.ts';

/** query_canceled: the statement ran into its time limit. */
const STATEMENT_TIMEOUT = '57014';

/** A projection and the generation of it that is to be advanced, locked in the transaction at hand. */
export interface Advancing {
  projection: Projection;
  generation: Generation;
  /** The position not to go past. */
  limit: number;
}

function pair(projections: readonly Projection[], generations: readonly Generation[], limit: number): Advancing[] {
  return projections.map((projection) => {
    const generation = generations.find((candidate) => candidate.projection === projection.name);
    if (!generation) throw new Error(`Projection ${projection.name} has no live generation: it was not prepared.`);
    if (generation.version !== projection.version) {
      throw new ProjectionVersionError(projection.name, generation.version, projection.version);
    }
    return { projection, generation, limit };
  });
}

/**
 * The next positions to apply: from the lowest checkpoint on, and not past the next higher one, where projections that
 * were behind meet the others and go on with them. Null when all are at their limit.
 */
function nextRange(advancing: readonly Advancing[], batchSize: number): PositionRange | null {
  const behind = advancing.filter(({ generation, limit }) => generation.checkpoint < limit);
  if (behind.length === 0) return null;
  const checkpoints = behind.map(({ generation }) => generation.checkpoint);
  const after = Math.min(...checkpoints);
  const ends = behind.flatMap(({ generation, limit }) => (generation.checkpoint === after ? [limit] : []));
  return { after, through: Math.min(after + batchSize, ...ends, ...checkpoints.filter((other) => other > after)) };
}

async function applyRange(
  transaction: Transaction,
  { projection, generation }: Advancing,
  range: PositionRange,
): Promise<void> {
  try {
    await projection.apply(transaction, range, tableOf(projection.name, generation.generation));
  } catch (error) {
    if (isTransientError(error) || error instanceof StatementSkippedError) throw error;
    throw new ProjectionFailedError(projection, range.through, error);
  }
}

/**
 * Waits for all, so that none still works on a transaction that is rolled back, and throws what failed first. While the
 * server runs the statements of one projection, the rows of another are made here.
 */
async function together(works: readonly Promise<void>[]): Promise<void> {
  const outcomes = await Promise.allSettled(works);
  const errors: unknown[] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (errors.length > 0) throw errors.find((error) => !(error instanceof StatementSkippedError)) ?? errors[0];
}

/**
 * Applies the next batch to generations that the transaction has locked: rows and checkpoints together.
 *
 * @returns the positions applied; null when every generation is at its limit
 * @throws ProjectionFailedError naming the last position of the batch that could not be applied
 */
export async function applyNext(
  transaction: Transaction,
  advancing: readonly Advancing[],
  batchSize: number,
): Promise<PositionRange | null> {
  const range = nextRange(advancing, batchSize);
  if (range === null) return null;
  const due = advancing.filter(({ generation, limit }) => generation.checkpoint === range.after && limit > range.after);
  await together(due.map((each) => applyRange(transaction, each, range)));
  const generations = due.map(({ generation }) => generation);
  await moveCheckpoints(transaction, generations, range);
  return range;
}

/**
 * Runs `apply` with a batch size that is halved whenever a batch fails, or takes longer than a statement may, until the
 * failing stored event stands alone. All before it is applied, and the error names its position.
 */
export async function bisect<Result>(batchSize: number, apply: (size: number) => Promise<Result>): Promise<Result> {
  let size = batchSize;
  for (;;) {
    try {
      return await apply(size);
    } catch (error) {
      if (error instanceof CheckpointMovedError) continue;
      const isTooMuch = error instanceof ProjectionFailedError || sqlState(error) === STATEMENT_TIMEOUT;
      if (!isTooMuch || size === 1) throw error;
      size = Math.floor(size / 2);
    }
  }
}

/**
 * Applies the next batch to all live projections in one transaction, so that every read table is at the same position.
 * A batch that fails is tried again in halves.
 *
 * @returns the positions applied; an empty range at the head when the log holds nothing new
 * @throws ProjectionFailedError, ProjectionVersionError
 */
export async function advance(
  pool: Pool,
  projections: readonly Projection[],
  batchSize: number,
): Promise<PositionRange> {
  const names = projections.map((projection) => projection.name);
  return await bisect(batchSize, async (size) => {
    return await inTransaction(pool, async (transaction) => {
      const live = await lockLiveGenerations(transaction, names);
      const head = await headPosition(transaction);
      const applied = await applyNext(transaction, pair(projections, live, head), size);
      return applied ?? { after: head, through: head };
    });
  });
}
