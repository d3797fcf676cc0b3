import type { Pool } from '@milepost/postgres';
import type { Replay, Throttle } from '../replay.ts';

/** The columns of `projection.replay` as a `Replay`. */
export const REPLAY_COLUMNS = `replay_id AS id, kind, projection, phase, halted, error, target, horizon, promote,
  accept_differences, throttle, verification, requested_by, created_at, finished_at`;

export type ReplayRow = Omit<Replay, 'throttle'> & { throttle: string };

/** Reads a throttle as it is stored: `off`, `auto` or a number of trips per second. */
export function toThrottle(text: string): Throttle {
  return text === 'off' || text === 'auto' ? text : Number(text);
}

function toReplay(row: ReplayRow): Replay {
  return { ...row, throttle: toThrottle(row.throttle) };
}

/** One replay; null when there is none with this id. */
export async function findReplay(pool: Pool, id: number): Promise<Replay | null> {
  const { rows } = await pool.query<ReplayRow>({
    name: 'find-replay',
    text: `SELECT ${REPLAY_COLUMNS} FROM projection.replay WHERE replay_id = $1`,
    values: [id],
  });
  return rows[0] ? toReplay(rows[0]) : null;
}
