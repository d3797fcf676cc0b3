/** Replays of everything and of rollups alone, against a copy of the log in SQL. About three minutes. */

import { readFile } from 'node:fs/promises';
import { Pool } from 'pg';
import { ON_LANE } from '../support/database.ts';
import { freePorts } from '../support/services/free-port.ts';
import { fillLog } from './support/large-log.ts';
import { startMilepost } from './support/milepost.ts';
import { fillReadTables } from './support/reading-api.ts';
import { type Measurement, report } from './support/results.ts';
import { type TimedReplay, timeReplay } from './support/time-replay.ts';

const TRIPS = Number(process.env['BENCH_TRIPS'] ?? 200_000);
const DRIVERS = Math.ceil(TRIPS / 1_000);
const POINTS = 300;
const DAYS = 170;
const ROUNDS = TRIPS > 500_000 ? 1 : 3;
/**
 * The projections to replay, each with its minimum rate: in trips per second, and as a share of the reference's rate.
 */
const WORKS = [
  { projections: 'all', least: { rate: 30_000, ratio: 0.25 } },
  { projections: 'daily_rollups,weekly_rollups', least: { rate: 150_000, ratio: 1 } },
  { projections: 'daily_rollups', least: null },
  { projections: 'weekly_rollups', least: null },
];

/** Returns the peak resident memory of a process in MB. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/**
 * Measures replays without a throttle from a log of standard trips: of everything, and of rollups alone. The time runs
 * from the request until the replay may be promoted; the verification is reported separately. The reference is `CREATE
 * TABLE ... AS` of the log's headers and bodies.
 */
const milepost = await startMilepost();
const database = new Pool({ connectionString: milepost.url, max: 1, ...ON_LANE });
try {
  await fillLog(milepost.url, { trips: TRIPS, points: POINTS, drivers: DRIVERS, days: DAYS });
  await fillReadTables(milepost.url, database);
  const [port] = await freePorts(1);
  const ops = milepost.start('ops', { OPS_PORT: String(port), OPS_TOKEN: 'bench' });

  const floors: number[] = [];
  const timed = new Map<string, TimedReplay[]>(WORKS.map(({ projections }) => [projections, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await database.query('CREATE TABLE floor_header AS SELECT * FROM stored_event');
    await database.query('CREATE TABLE floor_body AS SELECT * FROM trip_body');
    floors.push((performance.now() - start) / 1000);
    await database.query('DROP TABLE floor_header, floor_body');
    for (const [projections, rounds] of timed) rounds.push(await timeReplay(milepost, database, projections));
  }
  const rates = (seconds: readonly number[]) => seconds.map((each) => TRIPS / each);
  const measurements = WORKS.flatMap(({ projections, least }): Measurement[] => {
    const rounds = timed.get(projections) ?? [];
    const filled = {
      work: `replay of ${projections} until caught up`,
      unit: 'trips/s',
      milepost: rates(rounds.map((round) => round.filled)),
    };
    return [
      {
        ...filled,
        against: { name: 'copy of the log in SQL', figures: rates(floors) },
        goal: least && { is: 'at least', value: least.ratio },
      },
      ...(least === null ? [] : [{ ...filled, against: null, goal: { is: 'at least' as const, value: least.rate } }]),
      {
        ...filled,
        work: `replay of ${projections} until verified`,
        milepost: rates(rounds.map((round) => round.verified)),
        against: null,
        goal: null,
      },
    ];
  });
  console.log(`peak memory of the ops process: ${(await peakMemory(ops.pid ?? 0)).toFixed(0)} MB`);
  await report(
    'replay',
    measurements,
    { trips: TRIPS, points: POINTS, drivers: DRIVERS, days: DAYS, rounds: ROUNDS },
    database,
  );
} finally {
  await database.end();
  await milepost.stop();
}
