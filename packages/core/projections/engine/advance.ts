import { readHeadPosition } from '@milepost/event-log/head';
import {
  inTransaction,
  isTransientError,
  type Pool,
  SQLSTATES,
  StatementSkippedError,
  sqlState,
  statement,
  type Transaction,
} from '@milepost/postgres';
import { inSpan, isTracing, linksTo, type OpenSpan, openSpan, run } from '@milepost/tracing';
import { type Generation, lockLiveGenerations, moveCheckpoints } from './checkpoints.ts';
import type { PositionRange } from './fill.ts';
import {
  CheckpointMovedError,
  type Projection,
  ProjectionFailedError,
  ProjectionVersionError,
  tableOf,
} from './projection.ts';

/** A projection and the generation of it to advance. The current transaction has locked both. */
export interface Advancing {
  projection: Projection;
  generation: Generation;
  /** The last position to apply. */
  limit: number;
}

function pair(projections: readonly Projection[], generations: readonly Generation[], limit: number): Advancing[] {
  return projections.map((projection) => {
    const generation = generations.find((candidate) => candidate.projection === projection.name);
    if (!generation) throw new Error(`Projection ${projection.name} has no live generation: it has not been prepared.`);
    if (generation.version !== projection.version) {
      throw new ProjectionVersionError(projection.name, generation.version, projection.version);
    }
    return { projection, generation, limit };
  });
}

/**
 * Returns the next positions to apply; null when all projections are at their limit. The range begins after the lowest
 * checkpoint. It ends no later than the next higher checkpoint. The projections at that checkpoint wait until those at
 * the lowest one reach it, and then both groups advance together.
 */
function nextRange(advancing: readonly Advancing[], batchSize: number): PositionRange | null {
  const behind = advancing.filter(({ generation, limit }) => generation.checkpoint < limit);
  if (behind.length === 0) return null;
  const checkpoints = behind.map(({ generation }) => generation.checkpoint);
  const after = Math.min(...checkpoints);
  const ends = behind.flatMap(({ generation, limit }) => (generation.checkpoint === after ? [limit] : []));
  return { after, through: Math.min(after + batchSize, ...ends, ...checkpoints.filter((other) => other > after)) };
}

/** How many stored events are read for a span's links. Fewer links are allowed, but stored events can share one. */
const MAX_TRACEPARENTS = 256;

const FIND_TRACEPARENTS = statement('find-traceparents', { traceparent: 'text!' })`
  SELECT traceparent FROM stored_event WHERE position > $1 AND position <= $2 AND traceparent IS NOT NULL
  LIMIT ${MAX_TRACEPARENTS}`;

/**
 * Begins a batch's span, which covers everything up to the commit. The span links to the stored events' traces, which
 * are read only when tracing is on.
 *
 * @returns undefined when tracing is off, or when there is nothing to apply
 */
async function openProjecting(transaction: Transaction, range: PositionRange | null): Promise<OpenSpan | undefined> {
  if (range === null || !isTracing()) return undefined;
  const { after, through } = range;
  const found = await transaction.rows(FIND_TRACEPARENTS, [after, through]);
  return openSpan('project', () => ({
    links: linksTo(found.map(({ traceparent }) => traceparent)),
    attributes: { 'milepost.position.after': after, 'milepost.position.through': through },
  }));
}

/** A batch that a projection has applied. */
export interface AppliedBatch {
  projection: string;
  events: number;
  milliseconds: number;
}

async function applyRange(
  transaction: Transaction,
  { projection, generation }: Advancing,
  range: PositionRange,
  onApply: (batch: AppliedBatch) => void,
): Promise<void> {
  const started = performance.now();
  try {
    const table = tableOf(projection.name, generation.generation);
    await inSpan(`apply ${projection.name}`, () => projection.apply(transaction, range, table));
    const milliseconds = performance.now() - started;
    onApply({ projection: projection.name, events: range.through - range.after, milliseconds });
  } catch (error) {
    if (isTransientError(error) || error instanceof StatementSkippedError) throw error;
    throw new ProjectionFailedError(projection, range.through, error);
  }
}

/**
 * Waits until all `works` have settled, then throws the error of the failed statement. The statements after the failed
 * one are skipped. Their promises may reject first, but with a less useful error. The work overlaps: this process
 * renders the rows of one projection while the server runs the statements of another.
 */
async function together(works: readonly Promise<void>[]): Promise<void> {
  const outcomes = await Promise.allSettled(works);
  const errors: unknown[] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (errors.length > 0) throw errors.find((error) => !(error instanceof StatementSkippedError)) ?? errors[0];
}

/**
 * Applies the next batch to generations that the transaction has locked, and moves their checkpoints.
 *
 * @param onApply called for each projection; the transaction may still fail
 * @returns the positions applied; null when every generation is at its limit
 * @throws ProjectionFailedError with the last position of the batch, when the batch could not be applied
 */
export async function applyNext(
  transaction: Transaction,
  advancing: readonly Advancing[],
  batchSize: number,
  onApply: (batch: AppliedBatch) => void = () => {},
): Promise<PositionRange | null> {
  const range = nextRange(advancing, batchSize);
  if (range === null) return null;
  const due = advancing.filter(({ generation, limit }) => generation.checkpoint === range.after && limit > range.after);
  await together(due.map((each) => applyRange(transaction, each, range, onApply)));
  const generations = due.map(({ generation }) => generation);
  await moveCheckpoints(transaction, generations, range);
  return range;
}

/**
 * Runs `apply`. Whenever a batch fails or exceeds the statement timeout, the function halves the batch size, until the
 * batch contains only the failing stored event. By then, all earlier stored events have been applied, and the error
 * gives the position of the failing stored event.
 */
export async function bisect<Result>(batchSize: number, apply: (size: number) => Promise<Result>): Promise<Result> {
  let size = batchSize;
  for (;;) {
    try {
      return await apply(size);
    } catch (error) {
      if (error instanceof CheckpointMovedError) continue;
      const isTooMuch = error instanceof ProjectionFailedError || sqlState(error) === SQLSTATES.query_canceled;
      if (!isTooMuch || size === 1) throw error;
      size = Math.floor(size / 2);
    }
  }
}

/**
 * Applies the next batch to all live projections in one transaction, so that all read tables are at the same position.
 * If a batch fails, a batch of half the size is tried.
 *
 * @param onApplied called for each projection after the commit
 * @param discardsPlans whether the connection first discards its cached plans
 * @returns the positions applied; an empty range at the head when the log contains nothing new
 * @throws ProjectionFailedError, ProjectionVersionError
 */
export async function advance(
  pool: Pool,
  projections: readonly Projection[],
  batchSize: number,
  onApplied: (batch: AppliedBatch) => void = () => {},
  discardsPlans = false,
): Promise<PositionRange> {
  const names = projections.map((projection) => projection.name);
  return await bisect(batchSize, async (size) => {
    const batches: AppliedBatch[] = [];
    let span: OpenSpan | undefined;
    try {
      const range = await inTransaction(pool, async (transaction) => {
        // Runs in the batch's transaction, because the pool's other connections may be working for other lanes.
        if (discardsPlans) await transaction.run('DISCARD PLANS');
        const live = await lockLiveGenerations(transaction, names);
        const head = await readHeadPosition(transaction);
        const advancing = pair(projections, live, head);
        span = await openProjecting(transaction, nextRange(advancing, size));
        const applied = await run(span, () => applyNext(transaction, advancing, size, (batch) => batches.push(batch)));
        return applied ?? { after: head, through: head };
      });
      span?.end();
      for (const batch of batches) onApplied(batch);
      return range;
    } catch (error) {
      span?.end(error);
      throw error;
    }
  });
}
