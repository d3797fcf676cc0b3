/** Replays against a copy of the log in SQL and an event-sourcing library, and their readers. About seven minutes. */

import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { standardTrip } from '@milepost/sample-fleet';
import { administer } from '../support/template.ts';
import { makeDatabase } from './support/databases.ts';
import { compareWithPeer, projectRecords } from './support/emmett/compare.ts';
import { PEER_TABLES, type PeerTable, type TripRecorded } from './support/emmett/projections.ts';
import { appendTrips, rebuild } from './support/emmett/rebuild.ts';
import { drawPaths, ENDPOINTS } from './support/endpoint-paths.ts';
import { median } from './support/figures.ts';
import { fillLog } from './support/large-log.ts';
import { type Reading, readInBursts } from './support/load.ts';
import { startMilepost } from './support/milepost.ts';
import { fillReadTables, startReadingApi } from './support/reading-api.ts';
import { type Goal, type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { type TimedReplay, timeReplay } from './support/time-replay.ts';

const TRIPS = size(200_000, 10_000, 'TRIPS');
const PEER_TRIPS = size(2_000, 100, 'PEER_TRIPS');
const PEER = 'emmett-postgresql';
const POINTS = 300;
const DAYS = 170;
/** In both logs, a driver has the same number of trips per day. */
const TRIPS_PER_DRIVER = 1_000;
/** A summary has 20 drivers. */
const DRIVERS = Math.max(20, Math.ceil(TRIPS / TRIPS_PER_DRIVER));
const ROUNDS = TRIPS > 500_000 ? 1 : size(3, 1);
const READING_ROUNDS = size(5, 1);
const READING = { requestsPerSecond: 200, seconds: size(6, 1) };
/** How many times longer the p99 may be under the automatic throttle than without a replay. */
const MAX_P99 = 2;

interface Work {
  projections: string;
  /** The lowest rate in trips per second, and the lowest share of the reference's rate. */
  least: { rate: number; ratio: number } | null;
  /** What the peer rebuilds for comparison. */
  peer: { work: string; tables: readonly PeerTable[]; goal: Goal | null } | null;
}

const WORKS: readonly Work[] = [
  {
    projections: 'all',
    least: { rate: 30_000, ratio: 0.25 },
    peer: { work: 'replay of everything', tables: PEER_TABLES, goal: { is: 'at least', value: 60 } },
  },
  {
    projections: 'daily_rollups,weekly_rollups',
    least: { rate: 150_000, ratio: 1 },
    peer: {
      work: 'replay of daily and weekly rollups',
      tables: ['daily_rollups', 'weekly_rollups'],
      goal: { is: 'at least', value: 500 },
    },
  },
  {
    projections: 'daily_rollups',
    least: null,
    peer: { work: 'replay of daily rollups', tables: ['daily_rollups'], goal: null },
  },
  { projections: 'weekly_rollups', least: null, peer: null },
];

/** Returns a process's peak resident memory in MB. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

const rates = (trips: number, seconds: readonly number[]) => seconds.map((each) => trips / each);

await using milepost = await startMilepost();
const { database } = milepost;
const peer = await makeDatabase(milepost, 'plain');
const same = await makeDatabase(milepost, 'migrated');

/**
 * The peer stores JSON, computes neither scores nor ordinals, and is not verified. Its log is smaller, which makes it
 * faster. First, its tables are compared with Milepost's.
 */
async function preparePeer(): Promise<void> {
  const endDate = dateOf(Date.now() - MILLISECONDS_PER_DAY);
  const drivers = Math.ceil(PEER_TRIPS / TRIPS_PER_DRIVER);
  const options = { seed: 1, points: POINTS, drivers, days: DAYS, endDate };
  const records = Array.from({ length: PEER_TRIPS }, (_, index) => standardTrip(index, options).value.toString());
  const trips = records.map((record): TripRecorded['data'] => JSON.parse(record));
  await appendTrips(peer.url, trips);
  await administer(peer.url, ['VACUUM ANALYZE']);
  await rebuild(peer.url, PEER_TABLES, 'first');
  await projectRecords(same.url, records);
  await compareWithPeer(same.url, peer.url, 'first');
  console.log(`${PEER_TRIPS} trips: the peer and Milepost have the same trips, drivers, days, weeks and sums.`);
}

/** Copies the log with `CREATE TABLE ... AS`. Returns how many seconds that took. */
async function copyLog(): Promise<number> {
  const start = performance.now();
  await database.query('CREATE TABLE floor_header AS SELECT * FROM stored_event');
  await database.query('CREATE TABLE floor_body AS SELECT * FROM trip_body');
  const seconds = (performance.now() - start) / 1000;
  await database.query('DROP TABLE floor_header, floor_body');
  return seconds;
}

/** Measures the API's readers without a replay, and during one with and without the automatic throttle. */
async function measureReaders(): Promise<Measurement[]> {
  milepost.start('projector');
  const api = await startReadingApi(milepost, milepost.url, database);
  const drawn = await drawPaths(database, { seed: 1, requests: 1, days: DAYS - 14 });
  const read = async () =>
    await readInBursts(
      api,
      ENDPOINTS.flatMap((endpoint) => drawn[endpoint]),
      READING,
    );
  const throttled: number[] = [];
  const during = async (throttle: string) => {
    const id = (await milepost.run('replay', 'start', 'all', '--throttle', throttle)).trim();
    await delay(1_500);
    const reading = await read();
    const view = JSON.parse(await milepost.run('replay', 'show', id, '--json'));
    if (throttle === 'auto') throttled.push(view.trips_per_second ?? 0);
    await milepost.run('replay', 'cancel', id, '--wait');
    return reading;
  };
  await read();
  const readings: Record<'idle' | 'auto' | 'off', Reading>[] = [];
  for (let round = 0; round < READING_ROUNDS; round += 1) {
    readings.push({ idle: await read(), auto: await during('auto'), off: await during('off') });
  }
  console.log(`replay under the automatic throttle: ${median(throttled).toFixed(0)} trips/s`);
  return (['auto', 'off'] as const).flatMap((throttle) =>
    (['p99', 'p50'] as const).map(
      (figure): Measurement => ({
        work: `${figure} of readers while everything is replayed, throttle ${throttle}`,
        unit: 'ms',
        milepost: readings.map((reading) => reading[throttle][figure]),
        against: { name: 'no replay', figures: readings.map((reading) => reading.idle[figure]) },
        goal: throttle === 'auto' && figure === 'p99' ? { is: 'at most', value: MAX_P99 } : null,
      }),
    ),
  );
}

/**
 * Returns the rows of a replay, which is timed until it may be promoted and until it is verified, compared with a copy
 * of the log.
 */
function rowsOf({ projections, least }: Work, timed: readonly TimedReplay[], copies: readonly number[]): Measurement[] {
  const row = (until: string, seconds: readonly number[]) => ({
    work: `replay of ${projections} until ${until}`,
    unit: 'trips/s',
    milepost: rates(TRIPS, seconds),
    against: null,
  });
  const filled = row(
    'caught up',
    timed.map((each) => each.filled),
  );
  const against = { name: 'copy of the log in SQL', figures: rates(TRIPS, copies) };
  return [
    { ...filled, against, goal: least && { is: 'at least', value: least.ratio } },
    ...(least === null ? [] : [{ ...filled, goal: { is: 'at least' as const, value: least.rate } }]),
    {
      ...row(
        'verified',
        timed.map((each) => each.verified),
      ),
      goal: null,
    },
  ];
}

await preparePeer();
await fillLog(milepost.url, { trips: TRIPS, points: POINTS, drivers: DRIVERS, days: DAYS });
await fillReadTables(milepost.url, database);
const ops = await milepost.startOps();

const copies: number[] = [];
const rounds = WORKS.map((): { timed: TimedReplay[]; peers: number[] } => ({ timed: [], peers: [] }));
for (let round = 0; round < ROUNDS; round += 1) {
  copies.push(await copyLog());
  for (const [index, work] of WORKS.entries()) {
    rounds[index]?.timed.push(await timeReplay(milepost, database, work.projections));
    if (work.peer) rounds[index]?.peers.push(await rebuild(peer.url, work.peer.tables, `build_${round}_${index}`));
  }
}
console.log(`peak memory of the ops process: ${(await peakMemory(ops.pid ?? 0)).toFixed(0)} MB`);
const sizes = { trips: TRIPS, points: POINTS, drivers: DRIVERS, days: DAYS, rounds: ROUNDS };
const timedOf = (index: number) => rounds[index]?.timed ?? [];
await report(
  'replay',
  WORKS.flatMap((work, index) => rowsOf(work, timedOf(index), copies)),
  sizes,
  database,
);
await report(
  'replay-peer',
  WORKS.flatMap(({ peer: compared }, index): Measurement[] =>
    compared === null
      ? []
      : [
          {
            work: compared.work,
            unit: 'trips/s',
            milepost: rates(
              TRIPS,
              timedOf(index).map((each) => each.filled),
            ),
            against: { name: PEER, figures: rates(PEER_TRIPS, rounds[index]?.peers ?? []) },
            goal: compared.goal,
          },
        ],
  ),
  { ...sizes, 'trips, peer': PEER_TRIPS, 'trips a driver': TRIPS_PER_DRIVER },
  database,
);
await report(
  'replay-readers',
  await measureReaders(),
  { ...sizes, 'requests/s': READING.requestsPerSecond, rounds: READING_ROUNDS, 'seconds a round': READING.seconds },
  database,
);
