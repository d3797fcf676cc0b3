import type { Statement, Transaction } from '@milepost/postgres';
import type { Part } from '@milepost/projections/engine';

export interface TakenPart extends Part {
  projection: string;
  stage: number;
  part: number;
}

const TAKE_PART: Statement = {
  name: 'take-replay-part',
  text: `SELECT part.projection, part.stage, part.part, part.after_key AS after, part.through_key AS through, part.events
         FROM projection.replay_part part
         JOIN projection.replay_member member USING (replay_id, projection, stage)
         WHERE part.replay_id = $1 AND NOT part.done
         ORDER BY part.projection, part.part LIMIT 1
         FOR UPDATE OF part SKIP LOCKED`,
};

/** Takes a part that nobody works on; null when there is none at this moment. It stays locked until the transaction ends. */
export async function takePart(transaction: Transaction, id: number): Promise<TakenPart | null> {
  const [part] = await transaction.rows<TakenPart>(TAKE_PART, [id]);
  return part ?? null;
}

const FINISH_PART: Statement = {
  name: 'finish-replay-part',
  text: `UPDATE projection.replay_part SET done = true WHERE replay_id = $1 AND projection = $2 AND stage = $3 AND part = $4`,
};

/** Marks a part as done, in the transaction that wrote its rows. */
export async function finishPart(transaction: Transaction, id: number, taken: TakenPart): Promise<void> {
  await transaction.execute(FINISH_PART, [id, taken.projection, taken.stage, taken.part]);
}
