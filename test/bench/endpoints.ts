import { drawPaths, ENDPOINTS } from './support/endpoint-paths.ts';
import { fillLog } from './support/large-log.ts';
import { type Load, saturate, warmUp } from './support/load.ts';
import { startMilepost } from './support/milepost.ts';
import { startPeer } from './support/peer-process.ts';
import { FLEET, fillReadTables, startReadingApi } from './support/reading-api.ts';
import { type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';

const TRIPS = size(60_000, 2_000);
const DRIVERS = size(500, 50);
const DAYS = 100;
const POINTS = 300;
const SEED = 5;
/** How many different requests each endpoint gets. */
const REQUESTS = size(50, 5);
const CONNECTIONS = 16;
const SECONDS = size(3, 1);
const ROUNDS = size(5, 1, 'ROUNDS');
const MIN_RATE = 0.8;
const MAX_P99 = 1.5;

async function bodyOf(url: string, headers: Record<string, string>): Promise<string> {
  const answer = await fetch(url, { headers });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}.`);
  return await answer.text();
}

/**
 * Compares the five endpoints with a bare handler that runs the same queries and sends the same bytes. Both are
 * measured at saturation, in alternating rounds.
 */
await using milepost = await startMilepost();
const { database } = milepost;
await fillLog(milepost.url, { trips: TRIPS, points: POINTS, drivers: DRIVERS, days: DAYS });
await fillReadTables(milepost.url, database);
const { base, headers } = await startReadingApi(milepost, milepost.url, database);
const floor = await startPeer('bare-handler.ts', milepost.url, FLEET);
const paths = await drawPaths(database, { seed: SEED, requests: REQUESTS, days: DAYS - 14 });
const measurements: Measurement[] = [];
try {
  for (const endpoint of ENDPOINTS) {
    let bytes = 0;
    for (const path of paths[endpoint]) {
      const [body, floorBody] = await Promise.all([bodyOf(base + path, headers), bodyOf(floor.base + path, {})]);
      if (body !== floorBody) throw new Error(`${path}: the bare handler and the API send different bytes.`);
      bytes += Buffer.byteLength(body);
    }
    const load = async (url: string, seconds: number) =>
      await saturate(url, paths[endpoint], { headers, connections: CONNECTIONS, seconds });
    await warmUp(floor.base, paths[endpoint], headers);
    await warmUp(base, paths[endpoint], headers);
    const rounds: { floor: Load; milepost: Load }[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push({ floor: await load(floor.base, SECONDS), milepost: await load(base, SECONDS) });
    const work = `${endpoint}, ${(bytes / REQUESTS / 1000).toFixed(0)} kB`;
    const figures = (side: 'floor' | 'milepost', name: keyof Load) => rounds.map((round) => round[side][name]);
    for (const [unit, name, goal] of [
      ['requests/s', 'requestsPerSecond', { is: 'at least', value: MIN_RATE }],
      ['ms p99', 'p99Milliseconds', { is: 'at most', value: MAX_P99 }],
    ] as const)
      measurements.push({
        work,
        unit,
        milepost: figures('milepost', name),
        against: { name: 'bare handler', figures: figures('floor', name) },
        goal,
      });
  }
} finally {
  floor.process.kill();
}
await report(
  'endpoints',
  measurements,
  {
    trips: TRIPS,
    drivers: DRIVERS,
    days: DAYS,
    points: POINTS,
    connections: CONNECTIONS,
    rounds: ROUNDS,
    seed: SEED,
  },
  database,
);
