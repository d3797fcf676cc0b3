/** Responses, health checks and logs while 20, 200 and 2,000 connections request summaries without a pause. */

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { drawPaths } from './support/endpoint-paths.ts';
import { inRounds, percentile } from './support/figures.ts';
import type { ClientLoad, ClientResult } from './support/immediate-clients.ts';
import { warmUp } from './support/load.ts';
import { startMilepost } from './support/milepost.ts';
import { fillDatabase, startReadingApi } from './support/reading-api.ts';
import { atLeast, atMost, type Measurement, report } from './support/results.ts';
import { IS_SMOKE, size } from './support/sizes.ts';

const LOG = { trips: size(60_000, 2_000, 'TRIPS'), points: 10, drivers: 500, days: 100 };
const SEED = 7;
const REQUESTS = 50;
const CONNECTIONS = IS_SMOKE ? [20] : [20, 200, 2_000];
const SECONDS = size(15, 1, 'SECONDS');
const ROUNDS = size(3, 1, 'ROUNDS');
const PROBE_MILLISECONDS = 250;
const MAX_PROBE_MILLISECONDS = 10_000;

/** The measurements of one round with 20, 200 or 2,000 connections. */
type Round = Awaited<ReturnType<typeof look>>;

/** Requests `/healthz` and `/readyz` on new connections until `stop` aborts. */
async function probe(base: string, stop: AbortSignal): Promise<{ worstMilliseconds: number; notReady: number }> {
  let worstMilliseconds = 0;
  let notReady = 0;
  const probes: Promise<void>[] = [];
  const ask = async (path: string) => {
    const start = performance.now();
    const signal = AbortSignal.timeout(MAX_PROBE_MILLISECONDS);
    const status = await fetch(base + path, { headers: { connection: 'close' }, signal }).then(
      async (answer) => (await answer.text()) && answer.status,
      () => null,
    );
    if (status !== 200) notReady += 1;
    worstMilliseconds = Math.max(
      worstMilliseconds,
      status === null ? MAX_PROBE_MILLISECONDS : performance.now() - start,
    );
  };
  while (!stop.aborted) {
    probes.push(ask('/healthz'), ask('/readyz'));
    await delay(PROBE_MILLISECONDS);
  }
  await Promise.all(probes);
  return { worstMilliseconds, notReady };
}

await using milepost = await startMilepost();
const { database } = milepost;
await fillDatabase(milepost.url, database, LOG, 'drivers,daily_rollups');
const { base, headers, process: api } = await startReadingApi(milepost, milepost.url, 'pipe');
let logBytes = 0;
api.stderr?.on('data', (chunk: Buffer) => {
  logBytes += chunk.length;
});
const paths = (await drawPaths(database, SEED, REQUESTS, LOG.days)).map((request) => request['daily summary']);
await warmUp({ base, headers }, paths);

async function look(connections: number) {
  const data: ClientLoad = { port: Number(new URL(base).port), paths, headers, connections, seconds: SECONDS };
  const logged = logBytes;
  const stop = new AbortController();
  const clients = new Worker(new URL('support/immediate-clients.ts', import.meta.url), { workerData: data });
  const probing = probe(base, stop.signal);
  const [clientResult]: ClientResult[] = await once(clients, 'message');
  stop.abort();
  const { worstMilliseconds, notReady } = await probing;
  await clients.terminate();
  if (!clientResult) throw new Error('The clients reported nothing.');
  const { useful, refused, cut, processorSeconds } = clientResult;
  console.log(
    `${connections} connections: ${useful.length} useful responses, ${refused} others, ${cut} connections cut, not ready ${notReady} times; the clients used ${processorSeconds.toFixed(1)} s of processor time.`,
  );
  return {
    usefulPerSecond: useful.length / SECONDS,
    p99Milliseconds: percentile(useful, 0.99),
    worstHealthMilliseconds: worstMilliseconds,
    logKilobytes: (logBytes - logged) / 1000,
  };
}

const rounds = await inRounds(
  ROUNDS,
  CONNECTIONS.map((connections) => async () => {
    const round = await look(connections);
    // The next measurement starts when these connections have no work left.
    await delay(1_000);
    return round;
  }),
);
const measurements = CONNECTIONS.flatMap((connections, index): Measurement[] => {
  const row = (unit: string, of: (round: Round) => number) => ({
    work: `${connections} connections`,
    unit,
    milepost: (rounds[index] ?? []).map(of),
  });
  const useful = ({ usefulPerSecond }: Round) => usefulPerSecond;
  const fewest = { name: `${CONNECTIONS[0]} connections`, figures: (rounds[0] ?? []).map(useful) };
  return [
    { ...row('useful responses/s', useful), ...(index > 0 && { against: fewest, goal: atLeast(0.8) }) },
    { ...row('ms p99 of these', (round) => round.p99Milliseconds), goal: atMost(1_000) },
    { ...row('ms, slowest health check', (round) => round.worstHealthMilliseconds), goal: atMost(1_000) },
    { ...row('kB of log', (round) => round.logKilobytes), goal: atMost(5_000) },
  ];
});
await report(measurements, { ...LOG, seconds: SECONDS, rounds: ROUNDS, seed: SEED }, database);
