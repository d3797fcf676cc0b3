import { setTimeout as delay } from 'node:timers/promises';
import {
  columns,
  inTransaction,
  isTransientError,
  type RowOf,
  retryTransientErrors,
  statement,
  type Transaction,
} from '@milepost/postgres';
import { inDefinition } from '@milepost/postgres/definition';
import { BEGIN_BUILDING } from '../building.ts';
import { holdReplay } from '../lease.ts';
import { filledTogether, fillingOf, type Member, memberNamed, type StepContext, scratchOf } from './context.ts';
import { failureOf } from './failure.ts';

/** How often a worker without a chunk polls while other workers finish a stage. */
const IDLE_MILLISECONDS = 25;
/** The memory for one chunk. A sort on disk would take twice as long. */
const CHUNK_MEMORY = '32MB';

/** Locks a free chunk until the end of the transaction. */
const TAKE_CHUNK = statement('take-replay-chunk', {
  projection: 'text',
  ...columns('number', 'stage', 'chunk', 'events'),
  ...columns('text[]', 'after', 'through'),
})`
  SELECT chunk.projection, chunk.stage, chunk.chunk, chunk.after_key AS after, chunk.through_key AS through, chunk.events
  FROM replay_chunk chunk
  JOIN replay_member member USING (replay_id, projection, stage)
  WHERE chunk.replay_id = $1 AND NOT chunk.done
  ORDER BY chunk.projection, chunk.chunk LIMIT 1
  FOR UPDATE OF chunk SKIP LOCKED`;

/** Runs in the transaction that wrote the chunk's rows. */
const FINISH_CHUNK = statement('finish-replay-chunk')`
  UPDATE replay_chunk SET done = true WHERE replay_id = $1 AND projection = $2 AND stage = $3 AND chunk = $4`;

/** Skips a fill that another worker is planning. */
const LOCK_MEMBER = statement('lock-replay-member', { stage: 'number?', filled: 'boolean' })`
  SELECT stage, filled FROM replay_member
  WHERE replay_id = $1 AND projection = $2 FOR UPDATE SKIP LOCKED`;

/** Whether the stage has an unfinished chunk. */
const HAS_OPEN_CHUNKS = statement('has-open-replay-chunks')`
  SELECT FROM replay_chunk WHERE replay_id = $1 AND projection = $2 AND stage = $3 AND NOT done LIMIT 1`;

const INSERT_CHUNKS = statement('insert-replay-chunks')`
  INSERT INTO replay_chunk (replay_id, projection, stage, chunk, after_key, through_key, events)
  SELECT $1, $2, $3, place, (SELECT array_agg(value) FROM json_array_elements_text(chunk -> 'after') value),
    (SELECT array_agg(value) FROM json_array_elements_text(chunk -> 'through') value), (chunk ->> 'events')::bigint
  FROM json_array_elements($4::json) WITH ORDINALITY AS planned (chunk, place)`;

const SET_STAGE = statement('set-replay-stage')`
  UPDATE replay_member SET stage = $3 WHERE replay_id = $1 AND coalesce(filled_with, projection) = $2`;

const SET_FILLED = statement('set-replay-filled')`
  UPDATE replay_member SET filled = true WHERE replay_id = $1 AND coalesce(filled_with, projection) = $2`;

type TakenChunk = RowOf<typeof TAKE_CHUNK>;

/** Creates a fill's tables and scratch tables, in the transaction that plans its first stage. */
async function createTables(transaction: Transaction, context: StepContext, first: Member): Promise<void> {
  // When an erasure restarts a fill, its empty tables are still there.
  const create = async (table: string, sql: string) => {
    await transaction.run(`DROP TABLE IF EXISTS ${table}`);
    await transaction.run(sql);
  };
  for (const { projection, table } of filledTogether(context, first)) {
    await create(table, projection.createTable(table));
  }
  for (const { name, columns } of scratchOf(first)) {
    // Scratch tables are logged, because after a crash an unlogged table would be empty, although its chunks are marked
    // as done.
    await create(name, `CREATE TABLE ${name} (${columns})`);
  }
}

type Planned = 'filled' | 'planned' | 'busy';

/** Plans the next stage of a fill, once the previous one is done. */
async function planNext(context: StepContext, first: Member): Promise<Planned> {
  const { pool, replay } = context;
  const { projection } = first;
  const key = [replay.id, projection.name];
  return await inDefinition(pool, BEGIN_BUILDING, async (transaction) => {
    const [current] = await transaction.rows(LOCK_MEMBER, key);
    if (current === undefined) return 'busy';
    if (current.filled) return 'filled';
    const { stage } = current;
    if (stage === null) await createTables(transaction, context, first);
    else if ((await transaction.execute(HAS_OPEN_CHUNKS, [...key, stage])) > 0) return 'busy';
    const next = (stage ?? -1) + 1;
    const nextStage = projection.fill.stages[next];
    if (nextStage === undefined) {
      await transaction.execute(SET_FILLED, key);
    } else {
      const chunks = await nextStage.plan(transaction, fillingOf(context, first));
      await transaction.execute(INSERT_CHUNKS, [...key, next, JSON.stringify(chunks)]);
      await transaction.execute(SET_STAGE, [...key, next]);
    }
    // This lock prevents tables from appearing after the replay has been cancelled. Take the lock last, because the
    // heartbeat cannot renew the lease while the lock is held.
    await holdReplay(transaction, replay);
    return nextStage === undefined ? 'filled' : 'planned';
  });
}

/** Locks a free chunk and runs it. Returns null when there is none. */
async function runChunk(context: StepContext): Promise<TakenChunk | null> {
  const { pool, replay, signal } = context;
  let taken: TakenChunk | null = null;
  try {
    await inTransaction(pool, async (transaction) => {
      // A crash loses both the chunk's rows and the mark that the chunk is done, so the commit need not wait for the
      // disk.
      await transaction.run(
        `SET LOCAL synchronous_commit = off; SET LOCAL work_mem = '${CHUNK_MEMORY}'; ${BEGIN_BUILDING}`,
      );
      const [chunk = null] = await transaction.rows(TAKE_CHUNK, [replay.id]);
      taken = chunk;
      if (chunk === null) return;
      const member = memberNamed(context, chunk.projection);
      await member.projection.fill.stages[chunk.stage]?.run(transaction, chunk, fillingOf(context, member));
      await transaction.execute(FINISH_CHUNK, [replay.id, chunk.projection, chunk.stage, chunk.chunk]);
    });
    return taken;
  } catch (error) {
    if (taken === null || isTransientError(error) || signal.aborted) throw error;
    throw await failureOf(context, taken, error);
  }
}

/** Runs free chunks until all stages of all fills are done. */
async function work(context: StepContext, worker: number): Promise<void> {
  const { signal, throttled } = context;
  while (!signal.aborted) {
    if (!(await throttled.mayStart(worker, signal))) continue;
    const started = performance.now();
    const chunk = await retryTransientErrors(() => runChunk(context), context);
    if (chunk !== null) {
      throttled.onChunk(chunk.events, performance.now() - started);
      continue;
    }
    const planned: Planned[] = [];
    for (const first of context.members.filter(({ filled_with }) => filled_with === null)) {
      planned.push(await retryTransientErrors(() => planNext(context, first), context));
    }
    if (planned.every((outcome) => outcome === 'filled')) return;
    if (!planned.includes('planned')) await delay(IDLE_MILLISECONDS, undefined, { signal }).catch(() => {});
  }
}

/** Fills the new generations up to the replay's target, with several workers. */
export async function fill(context: StepContext, workers: number): Promise<void> {
  // The first worker that fails or finds everything filled stops the others after their current chunks. Only the
  // outcome of that first worker counts: if another worker fails later, its error does not show which stored event is
  // at fault.
  const ended = new AbortController();
  const signal = AbortSignal.any([context.signal, ended.signal]);
  const working = Array.from({ length: workers }, async (_, worker) => {
    await work({ ...context, signal }, worker).then(
      () => ended.abort(null),
      (error: unknown) => ended.abort(error),
    );
  });
  await Promise.all(working);
  context.signal.throwIfAborted();
  const reason: unknown = ended.signal.reason;
  if (reason !== null) throw reason;
}
