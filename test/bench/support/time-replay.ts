import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { until } from '../../support/faults/patience.ts';
import { firstValue } from '../../support/tables.ts';
import type { BenchMilepost } from './milepost.ts';

interface Shown {
  phase: string;
  verification: { equal: boolean } | null;
}

/** The seconds from a worker's claim on a replay until two of its steps end, measured with the database's clock. */
export type TimedReplay = Awaited<ReturnType<typeof timeReplay>>;

/**
 * Returns the seconds from the request for the next replay until a worker claims it: up to two without Redis, because
 * the worker polls. They would otherwise count as a replay of small tables.
 */
async function secondsUntilClaimed(database: Pool): Promise<number> {
  const last = await firstValue(database, 'SELECT coalesce(max(replay_id), 0) FROM replay');
  for (;;) {
    const seconds = await firstValue<number>(
      database,
      `SELECT extract(epoch FROM clock_timestamp() - created_at)::float8
       FROM replay WHERE replay_id > $1 AND epoch > 0`,
      [last],
    );
    if (seconds !== undefined) return seconds;
    await delay(10);
  }
}

/** Replays projections without a throttle, checks that the result equals the live read tables, and cleans up. */
export async function timeReplay(milepost: BenchMilepost, database: Pool, names: string) {
  const [claimed, printed] = await Promise.all([
    secondsUntilClaimed(database),
    milepost.run('replay', 'start', names, '--throttle', 'off'),
  ]);
  const id = printed.trim();
  /** The seconds until the generations have been filled and indexed and have caught up. */
  let filled = 0;
  for (;;) {
    const { rows } = await database.query<{ phase: string; halted: string | null; seconds: number }>(
      `SELECT phase, halted, extract(epoch FROM clock_timestamp() - created_at)::float8 AS seconds
       FROM replay WHERE replay_id = $1`,
      [id],
    );
    const [row] = rows;
    if (!row || row.halted !== null) throw new Error(`Replay ${id} is ${row?.halted ?? 'gone'}.`);
    if (['filling', 'indexing', 'catching_up'].includes(row.phase)) filled = row.seconds - claimed;
    if (row.phase === 'waiting') {
      const shown: Shown = JSON.parse(await milepost.run('replay', 'show', id, '--json'));
      if (!shown.verification?.equal) throw new Error(`Replay ${id} differs from the live read tables.`);
      await milepost.run('replay', 'cancel', id);
      // The next replay must not run while the cancelled one is still dropping its tables.
      const phase = async () => await firstValue(database, 'SELECT phase FROM replay WHERE replay_id = $1', [id]);
      await until(`Replay ${id}`, async () => (await phase()) === 'cancelled');
      return { filled, verified: row.seconds - claimed };
    }
    await delay(10);
  }
}
