import { inTransaction, type Pool } from '@milepost/postgres';
import type { Member, Phase, StepContext } from '../replay.ts';
import { BEGIN_BUILDING } from '../sql/building.ts';
import { lockIndexed, readUnindexed, setIndexed } from '../sql/indexed.ts';
import { holdReplay } from '../sql/lease.ts';
import type { Throttled } from '../throttle/throttled.ts';
import { inSlots } from './in-slots.ts';

/** Memory for one index build: more sorts faster, and this much twice still leaves a small server room. */
const INDEX_MEMORY = '128MB';

async function indexTable(pool: Pool, { replay, epoch }: StepContext, member: Member): Promise<void> {
  const { projection, table } = member;
  await inTransaction(pool, async (transaction) => {
    await transaction.run(BEGIN_BUILDING);
    // A worker that runs the same step, though it no longer should, has built them while we waited for it.
    if (await lockIndexed(transaction, replay.id, projection.name)) return;
    await transaction.run(`SET LOCAL maintenance_work_mem = '${INDEX_MEMORY}'`);
    await transaction.run(projection.createIndexes(table));
    for (const { name } of projection.fill.scratch(table)) await transaction.run(`DROP TABLE ${name}`);
    await holdReplay(transaction, replay, epoch);
    await setIndexed(transaction, replay.id, member);
  });
}

/** Builds the indexes of the filled tables, and tells the planner what is in them. */
export async function indexTables(pool: Pool, context: StepContext, throttled: Throttled): Promise<Phase> {
  const waiting = await readUnindexed(pool, context.replay.id);
  // Two at once only where nobody is to be spared.
  await inSlots(waiting, throttled.throttle === 'off' ? 2 : 1, context.signal, async (name) => {
    const member = context.members.find(({ projection }) => projection.name === name);
    if (member) await indexTable(pool, context, member);
  });
  for (const { table } of context.members) {
    context.signal.throwIfAborted();
    // Marks pages as visible to all, without which the first readers after a promotion would visit every row.
    await pool.query(`VACUUM (ANALYZE) ${table}`);
  }
  return 'catching_up';
}
