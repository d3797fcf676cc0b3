import { columns, execute, number, type Pool, type RowOf, statement, type Transaction, text } from '@milepost/postgres';
import { CheckpointMovedError, type ProjectionFailedError, type ProjectionVersionError } from './errors.ts';
import type { PositionRange } from './fill.ts';

/** A build of a projection's read table, and how far it has come. */
const GENERATION = { projection: text, ...columns(number, 'generation', 'version', 'checkpoint') };
export type Generation = RowOf<typeof GENERATION>;

const HEAD_POSITION = statement('head-position', { position: number })`SELECT position FROM log.head`;

/** The last committed position of the log. */
export async function headPosition(transaction: Transaction): Promise<number> {
  const [head] = await transaction.rows(HEAD_POSITION);
  if (!head) throw new Error('The log has no head: the database was not migrated.');
  return head.position;
}

/** Locked in one order, so that two processes wait for each other instead of deadlocking. */
const LOCK_LIVE_GENERATIONS = statement('lock-live-generations', GENERATION)`
  SELECT projection, generation, version, checkpoint FROM projection.generation
  WHERE live AND projection = ANY ($1) ORDER BY projection FOR UPDATE`;

/**
 * The generations that readers see, of those projections among `names` that have one; locked until the transaction ends:
 * a second projector waits, then sees what the first has done.
 */
export async function lockLiveGenerations(transaction: Transaction, names: readonly string[]): Promise<Generation[]> {
  const live = await transaction.rows(LOCK_LIVE_GENERATIONS, [names]);
  // A promotion for which we waited has made a row live that our statement's snapshot did not have.
  return live.length === names.length ? live : await transaction.rows(LOCK_LIVE_GENERATIONS, [names]);
}

/** Locked in the order in which live generations are. */
const LOCK_GENERATIONS = statement('lock-generations', GENERATION)`
  SELECT projection, generation, version, checkpoint FROM projection.generation
  WHERE (projection, generation) IN (SELECT * FROM unnest($1::text[], $2::integer[]))
  ORDER BY projection, generation FOR UPDATE`;

/** The generations named, live or not, locked until the transaction ends. */
export async function lockGenerations(
  transaction: Transaction,
  wanted: readonly { projection: string; generation: number }[],
): Promise<Generation[]> {
  return await transaction.rows(LOCK_GENERATIONS, [
    wanted.map(({ projection }) => projection),
    wanted.map(({ generation }) => generation),
  ]);
}

const LIVE_CHECKPOINTS = statement('live-checkpoints', { projection: text, checkpoint: number })`
  SELECT projection, checkpoint FROM projection.generation WHERE live AND projection = ANY ($1)`;

/** How far the live generations of the projections named have come, by their names. */
export async function liveCheckpoints(
  transaction: Transaction,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await transaction.rows(LIVE_CHECKPOINTS, [names]);
  return new Map(rows.map((row) => [row.projection, row.checkpoint]));
}

const MOVE_CHECKPOINTS = statement('move-checkpoints')`
  UPDATE projection.generation SET checkpoint = $2, failed_position = NULL, failure = NULL
  WHERE checkpoint = $1 AND (projection, generation) IN (SELECT * FROM unnest($3::text[], $4::integer[]))`;

/** Moves the checkpoints of generations by compare-and-set, in the transaction that wrote their rows. */
export async function moveCheckpoints(
  transaction: Transaction,
  generations: readonly Generation[],
  { after, through }: PositionRange,
): Promise<void> {
  const names = generations.map(({ projection }) => projection);
  const numbers = generations.map(({ generation }) => generation);
  const moved = await transaction.execute(MOVE_CHECKPOINTS, [after, through, names, numbers]);
  if (moved !== generations.length) throw new CheckpointMovedError(names, after);
}

/** Not what was promoted in its place meanwhile: nobody would take the failure of an idle projection back. */
const RECORD_FAILURE = statement('record-failure')`
  UPDATE projection.generation SET failed_position = $2, failure = $3
  WHERE projection = $1 AND version = $4 AND live`;

/** Writes down where and why a projection stands still, for operators and the health checks of other processes. */
export async function recordFailure(
  pool: Pool,
  failure: ProjectionFailedError | ProjectionVersionError,
): Promise<void> {
  await execute(pool, RECORD_FAILURE, [failure.projection, failure.position, failure.message, failure.version]);
}
