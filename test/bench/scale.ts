/** Every endpoint on a large fleet against a small one. */

import { Pool } from 'pg';
import { ON_LANE } from '../support/database.ts';
import { drawPaths, ENDPOINTS, type Endpoint } from './support/endpoint-paths.ts';
import { median } from './support/figures.ts';
import { fillLog } from './support/large-log.ts';
import { startMilepost } from './support/milepost.ts';
import { multiplyReadTables } from './support/multiply.ts';
import { fillReadTables, startReadingApi } from './support/reading-api.ts';
import { type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { Reader } from './support/timed-requests.ts';

const SMALL_TRIPS = size(100_000, 1_000);
/** The published numbers are for `BENCH_TRIPS=10000000`. */
const LARGE_TRIPS = size(1_000_000, 2_000, 'TRIPS');
const DRIVERS = 200;
const DAYS = 170;
const SEED = 13;
const REQUESTS = size(150, 5);
const ROUNDS = size(5, 1);
/** A page of a trip list has a hundred rows, which may be in different places on the disk. */
const MOST: Partial<Record<Endpoint, number>> = { 'trip list': 1.6 };
const MAX_OF_OTHERS = 1.2;

/** Splits the paths of one endpoint into rounds. */
const inRounds = (paths: readonly string[]) =>
  Array.from({ length: ROUNDS }, (_, round) => paths.slice((1 + round) * REQUESTS, (2 + round) * REQUESTS));

/**
 * Compares every endpoint between a small fleet and one with many more drivers and trips. The requests alternate, and
 * none is sent twice.
 */
await using milepost = await startMilepost();
const { database: small } = milepost;
const largeUrl = Object.assign(new URL(milepost.url), { pathname: '/large' }).href;
const large = new Pool({ connectionString: largeUrl, max: 1, ...ON_LANE });
await using pools = new AsyncDisposableStack();
pools.defer(async () => await large.end());
await fillLog(milepost.url, { trips: SMALL_TRIPS, points: 300, drivers: DRIVERS, days: DAYS });
await fillReadTables(milepost.url, small);
// PostgreSQL copies a database only while nothing else is connected to it.
await small.query(`CREATE DATABASE large TEMPLATE ${new URL(milepost.url).pathname.slice(1)}`);
await multiplyReadTables(large, Math.ceil(LARGE_TRIPS / SMALL_TRIPS));
const sides = await Promise.all(
  [
    { url: milepost.url, database: small },
    { url: largeUrl, database: large },
  ].map(async ({ url, database }) => {
    const { base, headers } = await startReadingApi(milepost, url, database);
    const paths = await drawPaths(database, { seed: SEED, requests: (ROUNDS + 1) * REQUESTS, days: DAYS - 14 });
    const { rows } = await database.query<{ trips: number; size: string }>(
      'SELECT count(*)::integer AS trips, pg_size_pretty(pg_database_size(current_database())) AS size FROM trips',
    );
    return { reader: new Reader(base, headers), paths, ...rows[0] };
  }),
);
const [less, more] = sides;
if (!less || !more) throw new Error('A database is missing.');
const measurements: Measurement[] = [];
for (const endpoint of ENDPOINTS) {
  const warm = async ({ reader, paths }: typeof less) => await reader.milliseconds(paths[endpoint].slice(0, REQUESTS));
  for (let time = 0; time < 2; time += 1) for (const side of [less, more]) await warm(side);
  measurements.push(await compare(endpoint, less, more));
}
for (const { reader } of sides) reader.close();
await report(
  'scale',
  measurements,
  {
    trips: `${less.trips} and ${more.trips}`,
    databases: `${less.size} and ${more.size}`,
    trips_a_driver: SMALL_TRIPS / DRIVERS,
    requests_a_round: REQUESTS,
    rounds: ROUNDS,
    seed: SEED,
  },
  small,
);

interface Side {
  reader: Reader;
  paths: Record<Endpoint, string[]>;
}

async function compare(endpoint: Endpoint, less: Side, more: Side): Promise<Measurement> {
  const lessRounds = inRounds(less.paths[endpoint]);
  const moreRounds = inRounds(more.paths[endpoint]);
  const figures: { less: number; more: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const times: { less: number[]; more: number[] } = { less: [], more: [] };
    for (let request = 0; request < REQUESTS; request += 1) {
      times.less.push(...(await less.reader.milliseconds(lessRounds[round]?.slice(request, request + 1) ?? [])));
      times.more.push(...(await more.reader.milliseconds(moreRounds[round]?.slice(request, request + 1) ?? [])));
    }
    figures.push({ less: median(times.less), more: median(times.more) });
  }
  return {
    work: endpoint,
    unit: 'ms p50',
    milepost: figures.map((round) => round.more),
    against: { name: 'small', figures: figures.map((round) => round.less) },
    goal: { is: 'at most', value: MOST[endpoint] ?? MAX_OF_OTHERS },
  };
}
