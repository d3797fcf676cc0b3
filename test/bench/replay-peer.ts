/** Replay against the projections of an event-sourcing library over the same trips. About three minutes. */
import { dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { standardTrip } from '@milepost/sample-fleet';
import { Pool } from 'pg';
import { ON_LANE } from '../support/database.ts';
import { freePorts } from '../support/services/free-port.ts';
import { administer } from '../support/template.ts';
import { makeDatabase } from './support/databases.ts';
import { compareWithPeer, projectRecords } from './support/emmett/compare.ts';
import { PEER_TABLES, type PeerTable, type TripRecorded } from './support/emmett/projections.ts';
import { appendTrips, rebuild } from './support/emmett/rebuild.ts';
import { fillLog } from './support/large-log.ts';
import { startMilepost } from './support/milepost.ts';
import { fillReadTables } from './support/reading-api.ts';
import { type Goal, report } from './support/results.ts';
import { timeReplay } from './support/time-replay.ts';

const TRIPS = Number(process.env['BENCH_TRIPS'] ?? 200_000);
const PEER_TRIPS = Number(process.env['BENCH_PEER_TRIPS'] ?? 2_000);
const PEER = 'emmett-postgresql';
const POINTS = 300;
const ROUNDS = 3;
/** Both logs have the same number of trips per driver per day. */
const TRIPS_PER_DRIVER = 1_000;
const DAYS = 170;

const WORKS: readonly { work: string; tables: readonly PeerTable[]; projections: string; goal: Goal | null }[] = [
  { work: 'replay of everything', tables: PEER_TABLES, projections: 'all', goal: { is: 'at least', value: 60 } },
  {
    work: 'replay of daily and weekly rollups',
    tables: ['daily_rollups', 'weekly_rollups'],
    projections: 'daily_rollups,weekly_rollups',
    goal: { is: 'at least', value: 500 },
  },
  { work: 'replay of daily rollups', tables: ['daily_rollups'], projections: 'daily_rollups', goal: null },
];

/**
 * Measures how fast read tables are rebuilt from the log. Compares the projections of an event-sourcing library with
 * Milepost's replay, which is timed until its generations have caught up. Both process the same kind of trips. The peer
 * stores JSON, computes no scores and no ordinals, and is not verified. Its log is smaller, which makes it faster.
 * First, its tables are compared with Milepost's.
 */
const milepost = await startMilepost();
const peer = await makeDatabase(milepost, 'plain');
const same = await makeDatabase(milepost, 'migrated');
const database = new Pool({ connectionString: milepost.url, max: 1, ...ON_LANE });
try {
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

  await fillLog(milepost.url, {
    trips: TRIPS,
    points: POINTS,
    drivers: Math.ceil(TRIPS / TRIPS_PER_DRIVER),
    days: DAYS,
  });
  await fillReadTables(milepost.url, database);
  const [port] = await freePorts(1);
  milepost.start('ops', { OPS_PORT: String(port), OPS_TOKEN: 'bench' });

  const rounds: { ours: number[]; peers: number[] }[] = WORKS.map(() => ({ ours: [], peers: [] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { tables, projections }] of WORKS.entries()) {
      const peers = PEER_TRIPS / (await rebuild(peer.url, tables, `build_${round}_${index}`));
      const ours = TRIPS / (await timeReplay(milepost, database, projections)).filled;
      rounds[index]?.peers.push(peers);
      rounds[index]?.ours.push(ours);
    }
  }
  await report(
    'replay-peer',
    WORKS.map(({ work, goal }, index) => ({
      work,
      unit: 'trips/s',
      milepost: rounds[index]?.ours ?? [],
      against: { name: PEER, figures: rounds[index]?.peers ?? [] },
      goal,
    })),
    {
      'trips, Milepost': TRIPS,
      'trips, peer': PEER_TRIPS,
      'trail points': POINTS,
      'trips a driver': TRIPS_PER_DRIVER,
      days: DAYS,
      rounds: ROUNDS,
    },
    database,
  );
} finally {
  await database.end();
  await milepost.stop();
}
