/** Summaries of 20 drivers against GROUP BY over a plain indexed table. */

import { isDeepStrictEqual } from 'node:util';
import { addDays, dateOf, mondayOf } from '@milepost/domain/calendar';
import { ROLES } from '@milepost/postgres';
import { dailySummaries, weeklySummaries } from '@milepost/projections/queries';
import { drawFrom } from '../support/draw.ts';
import { openPool } from '../support/pipeline.ts';
import { groupByDay, groupByWeek, PLAIN_TABLE } from './support/group-by.ts';
import { fillLog } from './support/large-log.ts';
import { saturate } from './support/load.ts';
import { startMilepost } from './support/milepost.ts';
import { startPeer } from './support/peer-process.ts';
import { FLEET, fillReadTables, startReadingApi } from './support/reading-api.ts';
import { type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';

const TRIPS = size(900_000, 2_000, 'TRIPS');
const DAYS = 90;
const TRIPS_A_DAY = 10;
const DRIVERS = Math.ceil(TRIPS / DAYS / TRIPS_A_DAY);
const SEED = 8;
const REQUESTS = size(50, 5);
const SUMMARISED_DRIVERS = 20;
const CONNECTIONS = 16;
const SECONDS = size(4, 1);
const ROUNDS = size(5, 1);
const GOAL = { is: 'at least', value: 20 } as const;

/** What one request asks for. Each driver has driven on the day and in the week. */
interface Asked {
  day: ReturnType<typeof dateOf>;
  monday: ReturnType<typeof dateOf>;
  driverIds: string[];
}

function drawRequests(): Asked[] {
  const draw = drawFrom(SEED);
  return Array.from({ length: REQUESTS }, () => {
    const driverIds = new Set<string>();
    while (driverIds.size < SUMMARISED_DRIVERS) driverIds.add(`driver-${draw(DRIVERS)}`);
    // This is a full week that has ended, and a day in it.
    const day = addDays(dateOf(Date.now()), -8 - draw(DAYS - 21));
    return { day, monday: mondayOf(day), driverIds: [...driverIds] };
  });
}

async function jsonOf(url: string, headers: Record<string, string>): Promise<unknown> {
  const answer = await fetch(url, { headers });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}.`);
  return JSON.parse(await answer.text());
}

/** Returns how many milliseconds a call takes on average when the calls run one after another. */
async function millisecondsEach(calls: readonly (() => Promise<unknown>)[]): Promise<number> {
  const start = performance.now();
  for (const call of calls) await call();
  return (performance.now() - start) / calls.length;
}

/**
 * Compares summaries of 20 drivers with a GROUP BY over a plain indexed table of the same trips, both as whole requests
 * and as queries alone.
 */
await using milepost = await startMilepost();
const { database } = milepost;
await using ends = new AsyncDisposableStack();
const pool = openPool(milepost.url, ROLES.api, 1);
ends.defer(async () => await pool.end());
await fillLog(milepost.url, { trips: TRIPS, points: 10, drivers: DRIVERS, days: DAYS });
await database.query(PLAIN_TABLE);
await fillReadTables(milepost.url, database, 'drivers,daily_rollups,weekly_rollups');
const { base, headers } = await startReadingApi(milepost, milepost.url, database);
const peer = await startPeer('group-by-handler.ts', milepost.url, FLEET);
const asked = drawRequests();
const path = (kind: string, date: string, ids: string[]) =>
  `/api/v1/driver-aggregate/${kind}?start_date=${date}&${ids.map((id) => `driver_id=${id}`).join('&')}`;
const endpoints = [
  {
    name: 'daily',
    paths: asked.map(({ day, driverIds }) => path('daily', day, driverIds)),
    ours: asked.map((one) => async () => await dailySummaries(pool, FLEET, one.driverIds, one.day)),
    peers: asked.map((one) => async () => await groupByDay(pool, FLEET, one.driverIds, one.day)),
  },
  {
    name: 'weekly',
    paths: asked.map(({ monday, driverIds }) => path('weekly', monday, driverIds)),
    ours: asked.map((one) => async () => {
      const endDate = addDays(one.monday, 6);
      const week = { startDate: one.monday, endDate, throughDate: endDate };
      return await weeklySummaries(pool, FLEET, one.driverIds, week);
    }),
    peers: asked.map((one) => async () => await groupByWeek(pool, FLEET, one.driverIds, one.monday)),
  },
];
const measurements: Measurement[] = [];
try {
  for (const { name, paths, ours, peers } of endpoints) {
    for (const one of paths) {
      if (!isDeepStrictEqual(await jsonOf(base + one, headers), await jsonOf(peer.base + one, {})))
        throw new Error(`${one}: the peer returns different data.`);
    }
    const load = async (url: string) =>
      (await saturate(url, paths, { headers, connections: CONNECTIONS, seconds: SECONDS })).requestsPerSecond;
    const work = `${name} summary of ${SUMMARISED_DRIVERS} drivers`;
    const requests: { peer: number; milepost: number }[] = [];
    const queries: { peer: number; milepost: number }[] = [];
    await load(base);
    await load(peer.base);
    for (let round = 0; round < ROUNDS; round += 1) {
      requests.push({ peer: await load(peer.base), milepost: await load(base) });
      queries.push({ peer: 1000 / (await millisecondsEach(peers)), milepost: 1000 / (await millisecondsEach(ours)) });
    }
    for (const [what, unit, rounds] of [
      [work, 'requests/s', requests],
      [`${work}, queries alone, one by one`, 'queries/s', queries],
    ] as const)
      measurements.push({
        work: what,
        unit,
        milepost: rounds.map((round) => round.milepost),
        against: { name: 'GROUP BY', figures: rounds.map((round) => round.peer) },
        goal: GOAL,
      });
  }
} finally {
  peer.process.kill();
}
await report(
  'summaries',
  measurements,
  { trips: TRIPS, drivers: DRIVERS, days: DAYS, connections: CONNECTIONS, rounds: ROUNDS, seed: SEED },
  database,
);
