import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { freePorts } from '../support/services/free-port.ts';
import { median } from './support/figures.ts';
import { fillLog } from './support/large-log.ts';
import { type BenchMilepost, startMilepost } from './support/milepost.ts';

const TRIPS = Number(process.env['BENCH_TRIPS'] ?? 200_000);
const DRIVERS = Math.ceil(TRIPS / 1_000);
const DAYS = 170;
const ROUNDS = TRIPS > 500_000 ? 1 : 3;

interface Shown {
  phase: string;
  verification: { equal: boolean } | null;
}

/** The most memory that a process has had resident, in MB. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

interface Timed {
  /** Seconds from the request, as the database has it, to generations that are filled, indexed and caught up. */
  filled: number;
  /** To the end of the verification. */
  verified: number;
}

/** Replays a projection, checks that the result equals what is live, and cleans up. */
async function timeReplay(milepost: BenchMilepost, database: Pool, name: string): Promise<Timed> {
  const id = (await milepost.run('replay', 'start', name, '--throttle', 'off')).trim();
  let filled = 0;
  for (;;) {
    const { rows } = await database.query<{ phase: string; halted: string | null; seconds: number }>(
      `SELECT phase, halted, extract(epoch FROM clock_timestamp() - created_at)::float8 AS seconds
       FROM projection.replay WHERE replay_id = $1`,
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

/** Resolves when a cancelled replay has dropped its tables, which must not go on beside the next one. */
async function untilGone(database: Pool, id: string): Promise<void> {
  for (;;) {
    const { rows } = await database.query('SELECT FROM projection.replay WHERE replay_id = $1 AND phase = $2', [
      id,
      'cancelled',
    ]);
    if (rows.length > 0) return;
    await delay(20);
  }
}

/**
 * Replays of a log of standard trips, everything and rollups alone, without a throttle: from the request to what may be
 * promoted, verification told apart. Floor: `INSERT ... SELECT` of the log's headers and bodies into bare tables.
 */
const milepost = await startMilepost();
try {
  const database = new Pool({ connectionString: milepost.url, max: 1 });
  await milepost.run('migrate');
  await fillLog(milepost.url, { trips: TRIPS, points: 300, drivers: DRIVERS, days: DAYS });
  // The read tables are made by a first replay, which is not measured, instead of by the projector.
  await database.query('UPDATE projection.generation SET checkpoint = (SELECT position FROM log.head) WHERE live');
  const [port] = await freePorts(1);
  const ops = milepost.start('ops', { OPS_PORT: String(port), OPS_TOKEN: 'bench' });
  await milepost.run('replay', 'start', 'all', '--promote', '--accept-differences', '--throttle', 'off', '--wait');
  console.log(
    `${TRIPS} standard trips of 300 points, ${DRIVERS} drivers, ${DAYS} days; fsync on, no throttle; ${ROUNDS} rounds`,
  );

  const floors: number[] = [];
  const figures = new Map<string, { filled: number[]; verified: number[] }>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await database.query('CREATE TABLE floor_header AS SELECT * FROM log.stored_event');
    await database.query('CREATE TABLE floor_body AS SELECT * FROM log.trip_body');
    floors.push((performance.now() - start) / 1000);
    await database.query('DROP TABLE floor_header, floor_body');
    for (const name of ['all', 'daily_rollups,weekly_rollups', 'daily_rollups', 'weekly_rollups']) {
      const timed = await timeReplay(milepost, database, name);
      const known = figures.get(name) ?? { filled: [], verified: [] };
      figures.set(name, { filled: [...known.filled, timed.filled], verified: [...known.verified, timed.verified] });
    }
  }
  const floor = median(floors);
  console.log(`floor: copy log in SQL           ${(TRIPS / floor).toFixed(0).padStart(8)} trips/s`);
  for (const [name, { filled, verified }] of figures) {
    console.log(
      `${name.padEnd(32)} ${(TRIPS / median(filled)).toFixed(0).padStart(8)} trips/s to caught up (${(floor / median(filled)).toFixed(2)} of the floor), ${(TRIPS / median(verified)).toFixed(0)} trips/s to verified`,
    );
  }
  console.log(`peak memory of the ops process   ${(await peakMemory(ops.pid ?? 0)).toFixed(0)} MB`);
  await database.end();
} finally {
  await milepost.stop();
}
