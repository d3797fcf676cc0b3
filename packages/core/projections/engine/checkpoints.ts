import { columns, execute, type Pool, queryRow, type RowOf, statement, type Transaction } from '@milepost/postgres';
import { inDefinition } from '@milepost/postgres/definition';
import { lockSchema } from '@milepost/postgres/schema-lock';
import type { PositionRange } from './fill.ts';
import {
  CheckpointMovedError,
  createView,
  type Projection,
  type ProjectionFailedError,
  type ProjectionVersionError,
  tableOf,
} from './projection.ts';

/** A build of a projection's read table, and its checkpoint. */
const GENERATION = { projection: 'text', ...columns('number', 'generation', 'version', 'checkpoint') } as const;
export type Generation = RowOf<typeof GENERATION>;

/** Returns the projections and the numbers of generations, as two parameters for a statement. */
export function keysOf(generations: readonly Pick<Generation, 'projection' | 'generation'>[]): [string[], number[]] {
  return [generations.map(({ projection }) => projection), generations.map(({ generation }) => generation)];
}

/** Declares a statement that changes the generations whose keys are `$1` and `$2`. */
export function changeGenerations(name: string, change: string) {
  return statement(name)`
    UPDATE generation SET ${change} FROM unnest($1::text[], $2::integer[]) AS chosen (projection, number)
    WHERE generation.projection = chosen.projection AND generation.generation = chosen.number`;
}

/** Locks rows in a fixed order, so that a second process waits for the first and the two cannot deadlock. */
const LOCK_LIVE_GENERATIONS = statement('lock-live-generations', GENERATION)`
  SELECT projection, generation, version, checkpoint FROM generation
  WHERE live AND projection = ANY ($1) ORDER BY projection FOR UPDATE`;

/**
 * Returns the live generations of the projections in `names` and locks them until the transaction ends. Omits
 * projections without a live generation. A second projector waits for the lock and then sees what the first projector
 * has written.
 */
export async function lockLiveGenerations(transaction: Transaction, names: readonly string[]): Promise<Generation[]> {
  const live = await transaction.rows(LOCK_LIVE_GENERATIONS, [names]);
  // If the statement had to wait for a promotion, its snapshot is older than the promotion and lacks the row that is
  // now live, so read again.
  return live.length === names.length ? live : await transaction.rows(LOCK_LIVE_GENERATIONS, [names]);
}

/** Locks rows in the same order as `LOCK_LIVE_GENERATIONS`. */
const LOCK_GENERATIONS = statement('lock-generations', GENERATION)`
  SELECT projection, generation, version, checkpoint FROM generation
  WHERE (projection, generation) IN (SELECT * FROM unnest($1::text[], $2::integer[]))
  ORDER BY projection, generation FOR UPDATE`;

/** Returns the named generations, live or not, and locks them until the end of the transaction. */
export async function lockGenerations(
  transaction: Transaction,
  wanted: readonly { projection: string; generation: number }[],
): Promise<Generation[]> {
  return await transaction.rows(LOCK_GENERATIONS, keysOf(wanted));
}

const LIVE_CHECKPOINTS = statement('live-checkpoints', { projection: 'text', checkpoint: 'number' })`
  SELECT projection, checkpoint FROM generation WHERE live AND projection = ANY ($1)`;

/** Returns the checkpoints of the named projections' live generations, keyed by projection. */
export async function liveCheckpoints(
  transaction: Transaction,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await transaction.rows(LIVE_CHECKPOINTS, [names]);
  return new Map(rows.map((row) => [row.projection, row.checkpoint]));
}

const MOVE_CHECKPOINTS = statement('move-checkpoints')`
  UPDATE generation SET checkpoint = $2, failed_position = NULL, failure = NULL
  FROM unnest($3::text[], $4::integer[]) AS moved (projection, number)
  WHERE checkpoint = $1 AND generation.projection = moved.projection AND generation.generation = moved.number`;

/** Moves the checkpoints of generations by compare-and-set, in the transaction that wrote their rows. */
export async function moveCheckpoints(
  transaction: Transaction,
  generations: readonly Generation[],
  { after, through }: PositionRange,
): Promise<void> {
  const [names, numbers] = keysOf(generations);
  const moved = await transaction.execute(MOVE_CHECKPOINTS, [after, through, names, numbers]);
  if (moved !== generations.length) throw new CheckpointMovedError(names, after);
}

/**
 * Stores nothing if a generation of another version has been promoted in the meantime. Otherwise, that generation would
 * show another's failure until its checkpoint moves.
 */
const RECORD_FAILURE = statement('record-failure')`
  UPDATE generation SET failed_position = $2, failure = $3
  WHERE projection = $1 AND version = $4 AND live`;

/** Stores where and why a projection has stopped, for operators and for other processes' health checks. */
export async function recordFailure(
  pool: Pool,
  failure: ProjectionFailedError | ProjectionVersionError,
): Promise<void> {
  await execute(pool, RECORD_FAILURE, [failure.projection, failure.position, failure.message, failure.version]);
}

const IS_SET_ASIDE = statement('is-set-aside', { found: 'boolean' })`
  SELECT EXISTS (SELECT FROM set_aside WHERE position = $1) AS found`;

/** Whether an operator has set aside the stored event at a position. */
export async function isSetAside(pool: Pool, position: number): Promise<boolean> {
  return (await queryRow(pool, IS_SET_ASIDE, [position])).found;
}

const INSERT_LIVE_GENERATION = statement('insert-live-generation')`
  INSERT INTO generation (projection, generation, version, live) VALUES ($1, 1, $2, true)`;

/**
 * Creates the first generation of every projection that has no generation, with an empty read table at checkpoint 0 and
 * the view on it. Any number of processes may call this function concurrently.
 */
export async function prepareGenerations(pool: Pool, projections: readonly Projection[]): Promise<void> {
  await inDefinition(pool, lockSchema('preparation'), async (transaction) => {
    const names = projections.map((projection) => projection.name);
    const live = new Set((await lockLiveGenerations(transaction, names)).map((generation) => generation.projection));
    for (const projection of projections.filter((candidate) => !live.has(candidate.name))) {
      const table = tableOf(projection.name, 1);
      await transaction.runEach(
        `${projection.createTable(table)} ${projection.createIndexes(table)} ${createView(projection, table)}`,
      );
      await transaction.execute(INSERT_LIVE_GENERATION, [projection.name, projection.version]);
    }
  });
}
