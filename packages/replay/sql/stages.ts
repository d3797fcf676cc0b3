import type { Statement, Transaction } from '@milepost/postgres';
import type { Part } from '@milepost/projections/engine';

export interface StageOfMember {
  stage: number | null;
  filled: boolean;
}

/** Skips a member that another worker plans at this moment. */
const LOCK_MEMBER: Statement = {
  name: 'lock-replay-member',
  text: `SELECT stage, filled FROM projection.replay_member
         WHERE replay_id = $1 AND projection = $2 FOR UPDATE SKIP LOCKED`,
};

/** Locks a projection's share until the transaction ends; null when somebody else has it locked. */
export async function lockStage(
  transaction: Transaction,
  id: number,
  projection: string,
): Promise<StageOfMember | null> {
  const [member] = await transaction.rows<StageOfMember>(LOCK_MEMBER, [id, projection]);
  return member ?? null;
}

const HAS_OPEN_PARTS: Statement = {
  name: 'has-open-replay-parts',
  text: `SELECT FROM projection.replay_part WHERE replay_id = $1 AND projection = $2 AND stage = $3 AND NOT done LIMIT 1`,
};

/** Whether a part of the stage is not done yet, be it that somebody works on it. */
export async function hasOpenParts(
  transaction: Transaction,
  id: number,
  projection: string,
  stage: number,
): Promise<boolean> {
  return (await transaction.execute(HAS_OPEN_PARTS, [id, projection, stage])) > 0;
}

const INSERT_PARTS: Statement = {
  name: 'insert-replay-parts',
  text: `INSERT INTO projection.replay_part (replay_id, projection, stage, part, after_key, through_key, events)
         SELECT $1, $2, $3, place, (SELECT array_agg(value) FROM json_array_elements_text(part -> 'after') value),
           (SELECT array_agg(value) FROM json_array_elements_text(part -> 'through') value), (part ->> 'events')::bigint
         FROM json_array_elements($4::json) WITH ORDINALITY AS planned (part, place)`,
};

const SET_STAGE: Statement = {
  name: 'set-replay-stage',
  text: `UPDATE projection.replay_member SET stage = $3 WHERE replay_id = $1 AND projection = $2`,
};

/** Writes a stage's plan down. */
export async function insertParts(
  transaction: Transaction,
  id: number,
  projection: string,
  stage: number,
  parts: readonly Part[],
): Promise<void> {
  await transaction.execute(INSERT_PARTS, [id, projection, stage, JSON.stringify(parts)]);
  await transaction.execute(SET_STAGE, [id, projection, stage]);
}

const SET_FILLED: Statement = {
  name: 'set-replay-filled',
  text: `UPDATE projection.replay_member SET filled = true WHERE replay_id = $1 AND projection = $2`,
};

/** Every part of every stage is done. */
export async function setFilled(transaction: Transaction, id: number, projection: string): Promise<void> {
  await transaction.execute(SET_FILLED, [id, projection]);
}
