/** The processor time that METRICS_PORT costs the API, ingest and the projector. About six minutes. */

import type { Pool } from 'pg';
import { workThrough } from './support/backlog.ts';
import { type Broker, PARTITIONS, publish, startBroker } from './support/broker.ts';
import { drawPaths, ENDPOINTS } from './support/endpoint-paths.ts';
import { assertWhole, startKafkaMilepost } from './support/kafka-milepost.ts';
import { fillLog } from './support/large-log.ts';
import { saturate, warmUp } from './support/load.ts';
import { type BenchMilepost, startMilepost, stopChild } from './support/milepost.ts';
import { processorSeconds, processorSecondsSince } from './support/processor-time.ts';
import { fillReadTables, startReadingApi } from './support/reading-api.ts';
import { type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { STANDARD, tripRecords } from './support/trip-records.ts';

const READ_TRIPS = size(20_000, 1_000);
const POINTS = 300;
const DRIVERS = 200;
const DAYS = 100;
const SEED = 11;
const REQUESTS = size(20, 5);
const CONNECTIONS = 8;
const SECONDS = size(5, 1);
const INGESTED_TRIPS = size(12_000, 500, 'TRIPS');
const ROUNDS = size(8, 1, 'ROUNDS');
const MAX_COST = 1.02;
/** A free port is chosen, so that the processes of a round do not compete for the same one. */
const WITH = { METRICS_PORT: '0' };

type Side = 'with' | 'without';
const SIDES: readonly Side[] = ['without', 'with'];

function settingsOf(side: Side): Record<string, string> {
  return side === 'with' ? WITH : {};
}

function noFigures(): Record<Side, number[]> {
  return { with: [], without: [] };
}

/** Alternates the order of the sides, because the second of two measurements finds warmer caches. */
function orderOf(round: number): readonly Side[] {
  return round % 2 === 0 ? SIDES : SIDES.toReversed();
}

function measured(work: string, unit: string, figures: Record<Side, number[]>): Measurement {
  return {
    work,
    unit,
    milepost: figures.with,
    against: { name: 'without METRICS_PORT', figures: figures.without },
    goal: { is: 'at most', value: MAX_COST },
  };
}

/**
 * Measures how much processor time a request takes on two API processes. Both get requests at the same time, so that
 * the machine's load is the same for both.
 */
async function measureApi(milepost: BenchMilepost, database: Pool): Promise<Measurement> {
  await fillLog(milepost.url, { trips: READ_TRIPS, points: POINTS, drivers: DRIVERS, days: DAYS });
  await fillReadTables(milepost.url, database);
  const drawn = await drawPaths(database, { seed: SEED, requests: REQUESTS, days: DAYS - 14 });
  const paths = ENDPOINTS.flatMap((endpoint) => drawn[endpoint]);
  const start = async (side: Side) =>
    await startReadingApi(milepost, milepost.url, database, 'inherit', settingsOf(side));
  const apis = { without: await start('without'), with: await start('with') };
  for (const side of SIDES) await warmUp(apis[side].base, paths, apis[side].headers);
  const figures = noFigures();
  const measure = async (side: Side) => {
    const { base, headers, process } = apis[side];
    const roots = { api: process.pid };
    const before = processorSeconds(roots);
    const { requestsPerSecond } = await saturate(base, paths, { headers, connections: CONNECTIONS, seconds: SECONDS });
    const { api = Number.NaN } = processorSecondsSince(before, roots);
    figures[side].push((api / (requestsPerSecond * SECONDS)) * 1e6);
  };
  for (let round = 0; round < ROUNDS; round += 1) await Promise.all(orderOf(round).map(measure));
  for (const side of SIDES) await stopChild(apis[side].process);
  return measured('API, requests to all endpoints', 'us of processor time a request', figures);
}

/**
 * Measures how much processor time ingest and projector take for the same backlog. Each round starts with empty tables.
 */
async function measurePipeline(milepost: BenchMilepost, broker: Broker): Promise<Measurement[]> {
  const topics = await broker.makeTopics();
  await publish(broker, topics, tripRecords(STANDARD, INGESTED_TRIPS));
  const figures = {
    ingest: noFigures(),
    projector: noFigures(),
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of orderOf(round)) {
      const service = await startKafkaMilepost(milepost, broker, topics, settingsOf(side));
      try {
        const { processorSeconds: used, tripsPerSecond, steadySeconds } = await workThrough(service, INGESTED_TRIPS);
        await assertWhole(service.pool, INGESTED_TRIPS);
        for (const name of ['ingest', 'projector'] as const)
          figures[name][side].push(((used[name] ?? Number.NaN) / (tripsPerSecond * steadySeconds)) * 1e6);
      } finally {
        await service.stop();
      }
    }
  }
  return (['ingest', 'projector'] as const).map((name) =>
    measured(`${name}, standard trips`, 'us of processor time a trip', figures[name]),
  );
}

await using milepost = await startMilepost();
const { database } = milepost;
await using broker = await startBroker();
const measurements = [...(await measurePipeline(milepost, broker)), await measureApi(milepost, database)];
const sizes = { rounds: `${ROUNDS} alternating`, partitions: PARTITIONS, trips: INGESTED_TRIPS, points: POINTS };
await report('metrics', measurements, sizes, database);
