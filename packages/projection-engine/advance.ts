import { inTransaction, isPassingFault, type Pool, sqlState, type Transaction } from '@milepost/postgres';
import { CheckpointMovedError, ProjectionFailedError, ProjectionVersionError } from './errors.ts';
import { type PositionRange, type Projection, tableOf } from './projection.ts';
import { headPosition } from './sql/head-position.ts';
import { type LiveGeneration, lockLiveGenerations } from './sql/live-generations.ts';
import { moveCheckpoint } from './sql/move-checkpoint.ts';

/** query_canceled: the statement ran into its time limit. */
const STATEMENT_TIMEOUT = '57014';

interface Work {
  projection: Projection;
  live: LiveGeneration;
}

function workOf(projections: readonly Projection[], generations: readonly LiveGeneration[]): Work[] {
  return projections.map((projection) => {
    const live = generations.find((generation) => generation.projection === projection.name);
    if (!live) throw new Error(`Projection ${projection.name} has no live generation: it was not prepared.`);
    if (live.version !== projection.version) {
      throw new ProjectionVersionError(projection.name, live.version, projection.version);
    }
    return { projection, live };
  });
}

/**
 * The next positions to apply: from the lowest checkpoint on, and not past the next higher one, where projections that
 * were behind meet the others and go on with them.
 */
function nextRange(work: readonly Work[], head: number, batchSize: number): PositionRange {
  const checkpoints = work.map(({ live }) => live.checkpoint);
  const after = Math.min(...checkpoints);
  const others = checkpoints.filter((checkpoint) => checkpoint > after);
  return { after, through: Math.min(after + batchSize, head, ...others) };
}

async function applyRange(transaction: Transaction, { projection, live }: Work, range: PositionRange): Promise<void> {
  try {
    await projection.apply(transaction, range, tableOf(projection.name, live.generation));
  } catch (error) {
    if (isPassingFault(error)) throw error;
    throw new ProjectionFailedError(projection.name, range.through, error);
  }
  await moveCheckpoint(transaction, live, range);
}

/**
 * Applies the next batch to all live projections in one transaction: rows and checkpoints together, every read table at
 * the same position.
 *
 * @returns the positions applied; an empty range when the log holds nothing new
 * @throws ProjectionFailedError naming the last position of the batch that could not be applied
 */
export async function advanceOnce(
  pool: Pool,
  projections: readonly Projection[],
  batchSize: number,
): Promise<PositionRange> {
  return await inTransaction(pool, async (transaction) => {
    const work = workOf(projections, await lockLiveGenerations(transaction));
    const range = nextRange(work, await headPosition(transaction), batchSize);
    if (range.through <= range.after) return { after: range.after, through: range.after };
    for (const behind of work.filter(({ live }) => live.checkpoint === range.after)) {
      await applyRange(transaction, behind, range);
    }
    return range;
  });
}

/**
 * Like `advanceOnce`, but a batch that fails, or takes longer than a statement may, is tried again in halves until the
 * stored event at fault stands alone: all before it is applied, and the error names its very position.
 */
export async function advance(
  pool: Pool,
  projections: readonly Projection[],
  batchSize: number,
): Promise<PositionRange> {
  let size = batchSize;
  for (;;) {
    try {
      return await advanceOnce(pool, projections, size);
    } catch (error) {
      if (error instanceof CheckpointMovedError) continue;
      const isTooMuch = error instanceof ProjectionFailedError || sqlState(error) === STATEMENT_TIMEOUT;
      if (!isTooMuch || size === 1) throw error;
      size = Math.floor(size / 2);
    }
  }
}
