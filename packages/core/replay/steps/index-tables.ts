import { query, statement, unprepared } from '@milepost/postgres';
import { inDefinition } from '@milepost/postgres/definition';
import { BEGIN_BUILDING } from '../building.ts';
import { holdReplay } from '../lease.ts';
import { type Member, memberNamed, type StepContext, scratchOf } from './context.ts';
import { withWorkers } from './with-workers.ts';

/** The memory for one index build. Two builds must fit into the memory of a small server. */
const INDEX_MEMORY = '128MB';

const READ_UNINDEXED = statement('read-unindexed-replay-members', { projection: 'text' })`
  SELECT projection FROM replay_member WHERE replay_id = $1 AND NOT indexed ORDER BY projection`;

const LOCK_INDEXED = statement('lock-replay-indexed', { indexed: 'boolean' })`
  SELECT indexed FROM replay_member WHERE replay_id = $1 AND projection = $2 FOR UPDATE`;

/** The generation now gets a checkpoint and advances like other generations, so its chunks are no longer needed. */
const SET_INDEXED = statement('set-replay-indexed')`
  WITH indexed AS (UPDATE replay_member SET indexed = true WHERE replay_id = $1 AND projection = $2),
    finished AS (DELETE FROM replay_chunk WHERE replay_id = $1 AND projection = $2)
  UPDATE generation SET checkpoint = $4 WHERE projection = $2 AND generation = $3`;

async function indexTable({ pool, replay }: StepContext, member: Member): Promise<void> {
  const { projection, generation, table, target } = member;
  await inDefinition(pool, BEGIN_BUILDING, async (transaction) => {
    // A worker that has lost its claim may still have built the indexes in the meantime.
    const { indexed } = await transaction.row(LOCK_INDEXED, [replay.id, projection.name]);
    if (indexed) return;
    await transaction.run(`SET LOCAL maintenance_work_mem = '${INDEX_MEMORY}'`);
    await transaction.runEach(projection.createIndexes(table));
    for (const { name } of scratchOf(member)) await transaction.run(`DROP TABLE ${name}`);
    await holdReplay(transaction, replay);
    await transaction.execute(SET_INDEXED, [replay.id, projection.name, generation, target]);
  });
}

/** Builds the indexes on the filled tables and collects statistics. */
export async function indexTables(context: StepContext): Promise<void> {
  const { pool, replay, members, throttled, signal } = context;
  const rows = await query(pool, READ_UNINDEXED, [replay.id]);
  // Under a throttle, only one table is indexed at a time.
  await withWorkers(rows, throttled.throttle === 'off' ? 2 : 1, signal, async ({ projection }) => {
    await indexTable(context, memberNamed(context, projection));
  });
  for (const { table } of members) {
    signal.throwIfAborted();
    // VACUUM marks pages as all-visible, so that the first readers after a promotion need not visit every row.
    await unprepared(pool, {}, `VACUUM (ANALYZE) ${table}`);
  }
}
