import { inTransaction, isPassingFault, type Pool, type Transaction } from '@milepost/postgres';
import { type Filling, type FillStage, type Part, rangeOf } from '@milepost/projections/engine';
import type { Member } from '../replay.ts';
import { describeStoredEvent } from '../sql/describe-stored-event.ts';
import type { TakenPart } from '../sql/parts.ts';

/** Carries a trial's end out of its transaction, so that nothing of it stays. */
class TrialEnded extends Error {}

/** Whether the work throws, tried in a transaction of which nothing stays. */
async function fails(pool: Pool, work: (transaction: Transaction) => Promise<void>): Promise<boolean> {
  try {
    await inTransaction(pool, async (transaction) => {
      await work(transaction);
      throw new TrialEnded();
    });
  } catch (error) {
    if (isPassingFault(error)) throw error;
    return !(error instanceof TrialEnded);
  }
  return false;
}

/** The position that a part of positions fails at, found by halving; its last one when it fails only as a whole. */
async function positionAtFault(pool: Pool, stage: FillStage, part: Part, filling: Filling): Promise<number> {
  let { after, through } = rangeOf(part);
  while (through - after > 1) {
    const middle = Math.floor((after + through) / 2);
    const half = { after: [String(after)], through: [String(middle)], events: middle - after };
    if (await fails(pool, async (transaction) => await stage.run(transaction, half, filling))) through = middle;
    else after = middle;
  }
  return through;
}

/** The error that stops a replay whose fold has thrown: it names the stored event, or the run of drivers, at fault. */
export async function failureOf(
  pool: Pool,
  member: Member,
  part: TakenPart,
  filling: Filling,
  cause: unknown,
): Promise<Error> {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const name = member.projection.name;
  const stage = member.projection.fill.stages[part.stage];
  if (!stage?.byPosition) {
    const through = part.through.join('/');
    return new Error(
      `Projection ${name} cannot finish its rows after ${part.after.join('/')} up to ${through}: ${reason}`,
      { cause },
    );
  }
  const position = await positionAtFault(pool, stage, part, filling);
  const event = await describeStoredEvent(pool, position);
  return new Error(`Projection ${name} cannot apply the stored event at position ${position} (${event}): ${reason}`, {
    cause,
  });
}
