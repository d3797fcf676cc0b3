import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { BenchMilepost } from './milepost.ts';

interface Shown {
  phase: string;
  verification: { equal: boolean } | null;
}

/** The seconds from requesting a replay until two of its steps end, measured with the database's clock. */
export interface TimedReplay {
  /** The seconds until the generations have been filled and indexed and have caught up. */
  filled: number;
  /** The seconds until the verification ends. */
  verified: number;
}

/** Replays projections without a throttle, checks that the result equals the live read tables, and cleans up. */
export async function timeReplay(milepost: BenchMilepost, database: Pool, names: string): Promise<TimedReplay> {
  const id = (await milepost.run('replay', 'start', names, '--throttle', 'off')).trim();
  let filled = 0;
  for (;;) {
    const { rows } = await database.query<{ phase: string; halted: string | null; seconds: number }>(
      `SELECT phase, halted, extract(epoch FROM clock_timestamp() - created_at)::float8 AS seconds
       FROM replay WHERE replay_id = $1`,
      [id],
    );
    const [row] = rows;
    if (!row || row.halted !== null) throw new Error(`Replay ${id} is ${row?.halted ?? 'gone'}.`);
    if (['filling', 'indexing', 'catching_up'].includes(row.phase)) filled = row.seconds;
    if (row.phase === 'waiting') {
      const shown: Shown = JSON.parse(await milepost.run('replay', 'show', id, '--json'));
      if (!shown.verification?.equal) throw new Error(`Replay ${id} differs from the live read tables.`);
      await milepost.run('replay', 'cancel', id);
      await untilGone(database, id);
      return { filled, verified: row.seconds };
    }
    await delay(10);
  }
}

/** Resolves when a cancelled replay has dropped its tables, because the next replay must not run at the same time. */
async function untilGone(database: Pool, id: string): Promise<void> {
  for (;;) {
    const { rows } = await database.query('SELECT FROM replay WHERE replay_id = $1 AND phase = $2', [id, 'cancelled']);
    if (rows.length > 0) return;
    await delay(20);
  }
}
