/** The five endpoints at saturation, with and without compression, compared with a bare handler. Five minutes. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { drawPaths, ENDPOINTS, type Endpoint } from './support/endpoint-paths.ts';
import { inRounds } from './support/figures.ts';
import { saturate, warmUp } from './support/load.ts';
import { startMilepost } from './support/milepost.ts';
import { FLEET, fillDatabase, startReadingApi } from './support/reading-api.ts';
import { atLeast, atMost, type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';

const LOG = { trips: size(60_000, 2_000), points: 300, drivers: size(500, 50), days: 100 };
const SEED = 5;
/** How many different requests each endpoint receives. */
const REQUESTS = size(50, 5);
const CONNECTIONS = 16;
/** On a shared machine, many short rounds give a steadier median than a few long ones. */
const SECONDS = 0.5;
const ROUNDS = size(40, 1, 'ROUNDS');
const MIN_RATE = 0.8;
const MAX_P99 = 1.5;
const MIN_COMPRESSED_RATE = 0.9;

/** Starts the bare handler for a database. Disposing of it ends its process. */
async function startBareHandler(url: string) {
  const script = join(import.meta.dirname, 'support/bare-handler.ts');
  const child = spawn(process.execPath, [script, url, FLEET], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data');
  return { base: `http://127.0.0.1:${String(port).trim()}`, [Symbol.asyncDispose]: async () => void child.kill() };
}

async function bodyOf(url: string, headers: Record<string, string>): Promise<string> {
  const answer = await fetch(url, { headers });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}.`);
  return await answer.text();
}

await using milepost = await startMilepost();
const { database } = milepost;
await fillDatabase(milepost.url, database, LOG);
const { base, headers } = await startReadingApi(milepost, milepost.url);
await using bare = await startBareHandler(milepost.url);
const drawn = await drawPaths(database, SEED, REQUESTS, LOG.days);
const sides = [
  { base: bare.base, headers },
  { base, headers },
  { base, headers: { ...headers, 'accept-encoding': 'gzip, br' } },
];
const pathsOf = (endpoint: Endpoint) => drawn.map((request) => request[endpoint]);
// All endpoints are warmed up before the first is measured. Otherwise, the bare handler serves the first one slowly.
for (const endpoint of ENDPOINTS) for (const side of sides) await warmUp(side, pathsOf(endpoint));
const measurements: Measurement[] = [];
for (const endpoint of ENDPOINTS) {
  const paths = pathsOf(endpoint);
  let bytes = 0;
  for (const path of paths) {
    const [body, bareBody] = await Promise.all([bodyOf(base + path, headers), bodyOf(bare.base + path, {})]);
    if (body !== bareBody) throw new Error(`${path}: the bare handler and the API send different bytes.`);
    bytes += Buffer.byteLength(body);
  }
  const [bareRounds = [], rounds = [], compressed = []] = await inRounds(
    ROUNDS,
    sides.map((side) => async () => await saturate(side, paths, CONNECTIONS, SECONDS)),
  );
  const work = `${endpoint}, ${(bytes / REQUESTS / 1000).toFixed(0)} kB`;
  const row = (unit: string, of: (round: (typeof rounds)[number]) => number) => ({
    work,
    unit,
    milepost: rounds.map(of),
    against: { name: 'bare handler', figures: bareRounds.map(of) },
  });
  measurements.push(
    { ...row('requests/s', (round) => round.requestsPerSecond), goal: atLeast(MIN_RATE) },
    { ...row('ms p99', (round) => round.p99Milliseconds), goal: atMost(MAX_P99) },
    {
      work: `${work}, compressed`,
      unit: 'requests/s',
      milepost: compressed.map(({ requestsPerSecond }) => requestsPerSecond),
      against: { name: 'not compressed', figures: rounds.map(({ requestsPerSecond }) => requestsPerSecond) },
      goal: atLeast(MIN_COMPRESSED_RATE),
    },
  );
}
await report(measurements, { ...LOG, connections: CONNECTIONS, rounds: ROUNDS, seed: SEED }, database);
