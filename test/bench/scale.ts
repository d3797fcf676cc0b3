/** The p50 of every endpoint with a large log and with a small one. About eight minutes. */

import { drawPaths, ENDPOINTS, type Endpoint } from './support/endpoint-paths.ts';
import { inRounds, median, millisecondsOf } from './support/figures.ts';
import { type BenchMilepost, openOwner, startMilepost } from './support/milepost.ts';
import { fillDatabase, startReadingApi } from './support/reading-api.ts';
import { atMost, type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';

const SMALL_TRIPS = size(100_000, 1_000);
/** The published figures are for `BENCH_TRIPS=10000000`, which needs 40 GB on disk. */
const LARGE_TRIPS = size(1_000_000, 2_000, 'TRIPS');
const TRIPS_A_DRIVER = size(500, 50);
const DAYS = 170;
const SEED = 13;
const REQUESTS = size(150, 5);
const ROUNDS = size(5, 1);
/** A page of the trip list has a hundred rows, which may be in different places on disk. */
const MOST: Partial<Record<Endpoint, number>> = { 'trip list': 1.6 };
const MAX_OF_OTHERS = 1.2;

/** Sends an endpoint's next request and resolves with its duration in milliseconds. No request is sent twice. */
type NextRequest = (endpoint: Endpoint) => Promise<number>;

/** Fills a database with the same number of trips for each driver, and starts an API on it. */
async function prepare(milepost: BenchMilepost, trips: number): Promise<NextRequest> {
  const { url } = await milepost.createDatabase('migrated');
  const database = openOwner(url);
  await fillDatabase(url, database, { trips, points: 300, drivers: trips / TRIPS_A_DRIVER, days: DAYS });
  const { base, headers } = await startReadingApi(milepost, url);
  const drawn = await drawPaths(database, SEED, (ROUNDS + 2) * REQUESTS, DAYS);
  await database.end();
  const asked = new Map<Endpoint, number>();
  return async (endpoint) =>
    await millisecondsOf(async () => {
      const index = asked.get(endpoint) ?? 0;
      asked.set(endpoint, index + 1);
      const path = drawn[index]?.[endpoint];
      const answer = await fetch(`${base}${path}`, { headers });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${path}: ${answer.status}.`);
    });
}

/** Returns each server's median duration, in milliseconds, in one round of alternating requests. */
async function alternate(servers: readonly NextRequest[], endpoint: Endpoint): Promise<number[]> {
  const times = await inRounds(
    REQUESTS,
    servers.map((next) => async () => await next(endpoint)),
  );
  return times.map(median);
}

await using milepost = await startMilepost();
const servers = [await prepare(milepost, SMALL_TRIPS), await prepare(milepost, LARGE_TRIPS)];
const measurements: Measurement[] = [];
for (const endpoint of ENDPOINTS) {
  for (let warmUp = 0; warmUp < 2; warmUp += 1) await alternate(servers, endpoint);
  const [rounds = []] = await inRounds(ROUNDS, [async () => await alternate(servers, endpoint)]);
  measurements.push({
    work: `${LARGE_TRIPS} trips, ${endpoint}`,
    unit: 'ms p50',
    milepost: rounds.map(([, large = Number.NaN]) => large),
    against: { name: `${SMALL_TRIPS} trips`, figures: rounds.map(([small = Number.NaN]) => small) },
    goal: atMost(MOST[endpoint] ?? MAX_OF_OTHERS),
  });
}
const sizes = { 'trips a driver': TRIPS_A_DRIVER, requests: REQUESTS, rounds: ROUNDS, seed: SEED };
await report(measurements, sizes, milepost.database);
