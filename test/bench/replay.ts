/** Replays of all read tables and of both rollups, compared with a copy of the log in SQL. About five minutes. */

import { inRounds } from './support/figures.ts';
import { startMilepost } from './support/milepost.ts';
import { peakMebibytes } from './support/processor-time.ts';
import { fillDatabase } from './support/reading-api.ts';
import { atLeast, type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { type TimedReplay, timeReplay } from './support/time-replay.ts';

/** The published figures are for `BENCH_TRIPS=1000000`. */
const TRIPS = size(200_000, 10_000, 'TRIPS');
/** Each driver has the same number of trips per day, however many trips there are. A summary covers 20 drivers. */
const LOG = { trips: TRIPS, points: 300, drivers: Math.max(20, Math.ceil(TRIPS / 1_000)), days: 170 };
const ROUNDS = TRIPS > 500_000 ? 1 : size(3, 1);

/** The replays, with two minimums for the rate: in trips per second, and as a share of the copy's rate. */
const WORKS = [
  { projections: 'all', leastRate: 30_000, leastRatio: 0.25 },
  { projections: 'daily_rollups,weekly_rollups', leastRate: 150_000, leastRatio: 1 },
];

await using milepost = await startMilepost();
const { database } = milepost;
await fillDatabase(milepost.url, database, LOG);
const ops = milepost.startOps();

/** Copies the log with `CREATE TABLE ... AS`. The two times returned are the same. */
async function copyLog(): Promise<TimedReplay> {
  const start = performance.now();
  await database.query('CREATE TABLE copied_header AS SELECT * FROM stored_event');
  await database.query('CREATE TABLE copied_body AS SELECT * FROM trip_body');
  const seconds = (performance.now() - start) / 1000;
  await database.query('DROP TABLE copied_header, copied_body');
  return { filled: seconds, verified: seconds };
}

const [copies = [], ...timed] = await inRounds(ROUNDS, [
  copyLog,
  ...WORKS.map((work) => async () => await timeReplay(milepost, database, work.projections)),
]);
const rates = (times: readonly TimedReplay[], step: keyof TimedReplay) => times.map((time) => TRIPS / time[step]);
const against = { name: 'copy of the log in SQL', figures: rates(copies, 'filled') };
const measurements = WORKS.flatMap(({ projections, leastRate, leastRatio }, index): Measurement[] => {
  const row = (until: string, step: keyof TimedReplay) => ({
    work: `replay of ${projections} until ${until}`,
    unit: 'trips/s',
    milepost: rates(timed[index] ?? [], step),
  });
  return [
    { ...row('caught up', 'filled'), against, goal: atLeast(leastRatio) },
    { ...row('caught up', 'filled'), goal: atLeast(leastRate) },
    row('verified', 'verified'),
  ];
});
const memory = peakMebibytes(ops.pid).toFixed(0);
await report(measurements, { ...LOG, rounds: ROUNDS, 'peak memory of ops, MiB': memory }, database);
