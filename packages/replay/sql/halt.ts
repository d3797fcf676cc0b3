import type { Pool } from '@milepost/postgres';
import type { Replay } from '../replay.ts';

/** Writes down why a replay cannot go on. It stands still until it is resumed. */
export async function haltReplay(pool: Pool, { id, phase }: Replay, epoch: number, error: string): Promise<void> {
  await pool.query({
    name: 'halt-replay',
    text: `UPDATE projection.replay SET halted = 'failed', error = $3 WHERE replay_id = $1 AND epoch = $2 AND phase = $4`,
    values: [id, epoch, error, phase],
  });
}
