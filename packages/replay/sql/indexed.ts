import type { Pool, Statement, Transaction } from '@milepost/postgres';
import type { Member } from '../replay.ts';

/** The projections of a replay whose new tables have no indexes yet. */
export async function readUnindexed(pool: Pool, id: number): Promise<string[]> {
  const { rows } = await pool.query<{ projection: string }>({
    name: 'read-unindexed-replay-members',
    text: 'SELECT projection FROM projection.replay_member WHERE replay_id = $1 AND NOT indexed ORDER BY projection',
    values: [id],
  });
  return rows.map((row) => row.projection);
}

const LOCK_INDEXED: Statement = {
  name: 'lock-replay-indexed',
  text: 'SELECT indexed FROM projection.replay_member WHERE replay_id = $1 AND projection = $2 FOR UPDATE',
};

/** Whether a projection's new table has its indexes; its share in the replay is locked until the transaction ends. */
export async function lockIndexed(transaction: Transaction, id: number, projection: string): Promise<boolean> {
  const [member] = await transaction.rows<{ indexed: boolean }>(LOCK_INDEXED, [id, projection]);
  return member?.indexed ?? true;
}

const SET_INDEXED: Statement = {
  name: 'set-replay-indexed',
  text: `WITH indexed AS (UPDATE projection.replay_member SET indexed = true WHERE replay_id = $1 AND projection = $2),
           finished AS (DELETE FROM projection.replay_part WHERE replay_id = $1 AND projection = $2)
         UPDATE projection.generation SET checkpoint = $4 WHERE projection = $2 AND generation = $3`,
};

/** From here on the generation stands at a checkpoint and is advanced as every other; its parts are of no more use. */
export async function setIndexed(
  transaction: Transaction,
  id: number,
  { projection, generation, target }: Member,
): Promise<void> {
  await transaction.execute(SET_INDEXED, [id, projection.name, generation, target]);
}
