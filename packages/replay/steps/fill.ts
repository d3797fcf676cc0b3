import { setTimeout as delay } from 'node:timers/promises';
import { inTransaction, isPassingFault, type Pool, retryPassingFaults, type Transaction } from '@milepost/postgres';
import type { Filling } from '@milepost/projections/engine';
import type { Member, Phase, StepContext } from '../replay.ts';
import { BEGIN_BUILDING } from '../sql/building.ts';
import { holdReplay } from '../sql/lease.ts';
import { finishPart, type TakenPart, takePart } from '../sql/parts.ts';
import { hasOpenParts, insertParts, lockStage, setFilled } from '../sql/stages.ts';
import type { Throttled } from '../throttle/throttled.ts';
import { failureOf } from './failure.ts';

/** How long a slot waits that finds nothing to do while others finish a stage. */
const IDLE_MILLISECONDS = 25;
/** What grouping or sorting one part may take before it goes to disk, which takes twice as long. */
const PART_MEMORY = '32MB';

function fillingOf({ table, target, horizon }: Member): Filling {
  return { table, asOf: target, horizon };
}

/** Makes the table and its scratch tables; done before the first stage is planned, in the same transaction. */
async function createTables(transaction: Transaction, { projection, table }: Member): Promise<void> {
  await transaction.run(projection.createTable(table));
  for (const { name, columns } of projection.fill.scratch(table)) {
    // Logged, as all else: an unlogged table is empty after a crash, while its parts are marked as done.
    await transaction.run(`CREATE TABLE ${name} (${columns})`);
  }
}

type Planned = 'filled' | 'planned' | 'others_at_work';

/** Plans a projection's next stage once the one before is done. */
async function planNext(pool: Pool, context: StepContext, member: Member): Promise<Planned> {
  const { replay, epoch } = context;
  const { projection } = member;
  return await inTransaction(pool, async (transaction) => {
    await transaction.run(BEGIN_BUILDING);
    const current = await lockStage(transaction, replay.id, projection.name);
    if (current === null) return 'others_at_work';
    if (current.filled) return 'filled';
    const { stage } = current;
    if (stage !== null && (await hasOpenParts(transaction, replay.id, projection.name, stage))) return 'others_at_work';
    if (stage === null) await createTables(transaction, member);
    const next = (stage ?? -1) + 1;
    const nextStage = projection.fill.stages[next];
    if (nextStage === undefined) {
      await setFilled(transaction, replay.id, projection.name);
    } else {
      const parts = await nextStage.plan(transaction, fillingOf(member));
      await insertParts(transaction, replay.id, projection.name, next, parts);
    }
    // Last, since the heartbeat waits for it; and at all, because after a cancel no table may appear.
    await holdReplay(transaction, replay, epoch);
    return nextStage === undefined ? 'filled' : 'planned';
  });
}

/** Takes a part and runs it; null when there is none to take at this moment. */
async function runPart(pool: Pool, context: StepContext): Promise<TakenPart | null> {
  const taken: { part: TakenPart | null } = { part: null };
  try {
    return await inTransaction(pool, async (transaction) => {
      // Part and mark are lost together in a crash, so the commit need not wait for the disk.
      await transaction.run(
        `SET LOCAL synchronous_commit = off; SET LOCAL work_mem = '${PART_MEMORY}'; ${BEGIN_BUILDING}`,
      );
      taken.part = await takePart(transaction, context.replay.id);
      if (taken.part === null) return null;
      const { part } = taken;
      const member = memberNamed(context, part.projection);
      await member.projection.fill.stages[part.stage]?.run(transaction, part, fillingOf(member));
      await finishPart(transaction, context.replay.id, part);
      return part;
    });
  } catch (error) {
    if (taken.part === null || isPassingFault(error) || context.signal.aborted) throw error;
    const member = memberNamed(context, taken.part.projection);
    throw await failureOf(pool, member, taken.part, fillingOf(member), error);
  }
}

function memberNamed({ members }: StepContext, name: string): Member {
  const member = members.find(({ projection }) => projection.name === name);
  if (!member) throw new Error(`Projection ${name} has a part and no share in the replay.`);
  return member;
}

/** Works on whatever part is free until all stages of all projections are done. */
async function work(pool: Pool, context: StepContext, throttled: Throttled, slot: number): Promise<void> {
  const { signal } = context;
  while (!signal.aborted) {
    if (!(await throttled.mayStart(slot, signal))) continue;
    const started = performance.now();
    const part = await retryPassingFaults(() => runPart(pool, context), { signal, onFault: throttled.onFault });
    if (part !== null) {
      throttled.onPart(part.events, performance.now() - started);
      continue;
    }
    const planned: Planned[] = [];
    for (const member of context.members) {
      planned.push(
        await retryPassingFaults(() => planNext(pool, context, member), { signal, onFault: throttled.onFault }),
      );
    }
    if (planned.every((outcome) => outcome === 'filled')) return;
    if (!planned.includes('planned')) await delay(IDLE_MILLISECONDS, undefined, { signal }).catch(() => {});
  }
}

/** Fills the new generations as of the replay's target, several parts at once. */
export async function fill(pool: Pool, context: StepContext, throttled: Throttled, slots: number): Promise<Phase> {
  // The first slot that finds everything filled, or fails, ends the others once their part is done. Only its outcome counts:
  // a part that fails in another slot by then is cut short, and nobody has found the stored event at fault.
  const ended = new AbortController();
  const signal = AbortSignal.any([context.signal, ended.signal]);
  const working = Array.from({ length: slots }, async (_, slot) => {
    await work(pool, { ...context, signal }, throttled, slot).then(
      () => ended.abort(null),
      (error: unknown) => ended.abort(error),
    );
  });
  await Promise.all(working);
  context.signal.throwIfAborted();
  const failure: unknown = ended.signal.reason;
  if (failure !== null) throw failure;
  return 'indexing';
}
