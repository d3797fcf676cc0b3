/** Summaries compared with GROUP BY, for 10 and for 1,000 trips per driver per day. About three minutes. */

import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { addDays, type CalendarDate, dateOf, mondayOf } from '@milepost/domain/calendar';
import { type Pool, ROLES } from '@milepost/postgres';
import { dailySummaries, weeklySummaries } from '@milepost/projections/queries';
import { drawFrom } from '../support/draw.ts';
import { execute } from '../support/execute.ts';
import { openPool } from '../support/pipeline.ts';
import { explainPrepared } from '../support/query-plan.ts';
import { inRounds, median, millisecondsOf } from './support/figures.ts';
import { groupByDay, groupByWeek, PLAIN_TABLE } from './support/group-by.ts';
import { type BenchMilepost, openOwner, startMilepost } from './support/milepost.ts';
import { FLEET, fillDatabase } from './support/reading-api.ts';
import { atMost, type Measurement, report } from './support/results.ts';
import { IS_SMOKE, size } from './support/sizes.ts';

/** Trips per driver per day. Both histories have the same drivers and days. */
const DENSITIES = IS_SMOKE ? [10, 20] : [10, 1_000];
const DRIVERS = 50;
const DAYS = 25;
const SEED = 6;
const SUMMARISED_DRIVERS = 20;
const REQUESTS = 20;
/** How many times a round measures each request when it reads from memory. */
const REPEATS = size(5, 1);
const ROUNDS = size(3, 1);
const MAX_GROWTH = 1.1;

interface Asked {
  day: CalendarDate;
  driverIds: string[];
}

interface Pair {
  milepost: number;
  peer: number;
}

/** How one side computes a summary, and the prepared statement that it runs. */
interface Side {
  ask: (pool: Pool, asked: Asked) => Promise<string>;
  statement: string;
  values: (asked: Asked) => unknown[];
}

/** Returns a response body. All drivers must be known. */
function bodyOf(found: Awaited<ReturnType<typeof dailySummaries>>): string {
  return `{"data":[${'items' in found ? found.items : ''}]}`;
}

const SUMMARIES: readonly { name: string; milepost: Side; peer: Side }[] = [
  {
    name: 'daily summary',
    milepost: {
      ask: async (pool, { driverIds, day }) => bodyOf(await dailySummaries(pool, FLEET, driverIds, day)),
      statement: 'daily-summaries',
      values: ({ driverIds, day }) => [FLEET, driverIds, day],
    },
    peer: {
      ask: async (pool, { driverIds, day }) => await groupByDay(pool, FLEET, driverIds, day),
      statement: 'group-by-day',
      values: ({ driverIds, day }) => [FLEET, driverIds, day, addDays(day, 1)],
    },
  },
  {
    name: 'weekly summary',
    milepost: {
      ask: async (pool, { driverIds, day }) => {
        const [startDate, endDate] = [mondayOf(day), addDays(mondayOf(day), 6)];
        const week = { startDate, endDate, throughDate: endDate };
        return bodyOf(await weeklySummaries(pool, FLEET, driverIds, week));
      },
      statement: 'weekly-summaries',
      values: ({ driverIds, day }) => [FLEET, driverIds, mondayOf(day), addDays(mondayOf(day), 6)],
    },
    peer: {
      ask: async (pool, { driverIds, day }) => await groupByWeek(pool, FLEET, driverIds, mondayOf(day)),
      statement: 'group-by-week',
      values: ({ driverIds, day }) => [FLEET, driverIds, mondayOf(day), addDays(mondayOf(day), 7)],
    },
  },
];

/** Uses GNU dd to make the kernel drop these files' cached pages. Other files' pages stay cached. */
const EVICT_FILES = 'for file; do dd if="$file" iflag=nocache count=0 status=none; done';

/**
 * Returns functions that evict the pages of a benchmark's database from memory. Runs a checkpoint. After this call, the
 * database must not be changed. No table may be larger than one gigabyte.
 */
async function coldPages(milepost: BenchMilepost, url: string) {
  const database = openOwner(url);
  await database.query('CREATE EXTENSION pg_buffercache');
  await database.query('CHECKPOINT');
  const { rows } = await database.query<{ path: string }>(
    `SELECT pg_relation_filepath(pg_class.oid) AS path FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname IN ('milepost', 'peer') AND relkind IN ('r', 'i') AND pg_relation_size(pg_class.oid) > 0`,
  );
  const files = rows.map(({ path }) => join(milepost.directory, 'postgres', 'data', path));
  return {
    /** Evicts all pages of the tables and indexes from the memory of both the server and the kernel. */
    evict: async () => {
      await database.query('SELECT pg_buffercache_evict_all()');
      await execute('sh', ['-c', EVICT_FILES, 'evict', ...files]);
    },
    end: async () => await database.end(),
  };
}

type History = Awaited<ReturnType<typeof makeHistory>>;

/** Returns requests for days in completed weeks, with randomly chosen drivers. */
function drawRequests(): Asked[] {
  const draw = drawFrom(SEED);
  return Array.from({ length: REQUESTS }, () => {
    const driverIds = new Set<string>();
    while (driverIds.size < SUMMARISED_DRIVERS) driverIds.add(`driver-${draw(DRIVERS)}`);
    return { day: addDays(mondayOf(dateOf(Date.now())), -1 - draw(14)), driverIds: [...driverIds] };
  });
}

async function makeHistory(milepost: BenchMilepost, density: number, ends: AsyncDisposableStack) {
  const { url } = await milepost.createDatabase('migrated');
  const database = openPool(url, undefined, 1);
  const log = { trips: density * DRIVERS * DAYS, points: 10, drivers: DRIVERS, days: DAYS };
  await fillDatabase(url, database, log, 'drivers,daily_rollups,weekly_rollups');
  await database.query(PLAIN_TABLE);
  await database.query('VACUUM ANALYZE');
  await database.end();
  console.log(`the history with ${density} trips per driver per day is ready`);
  const pool = openPool(url, ROLES.api, 1);
  const cold = await coldPages(milepost, url);
  ends.defer(async () => void (await Promise.all([pool.end(), cold.end()])));
  return { pool, cold };
}

/** Returns how many shared buffers one side's statement reads per request, on average. */
async function buffersOf({ pool }: History, side: Side, asked: readonly Asked[]): Promise<number> {
  let sum = 0;
  for (const one of asked) {
    // This prepares the statement if the pool has opened a new connection after an idle time.
    await side.ask(pool, one);
    const plan = await explainPrepared(pool, side.statement, side.values(one));
    sum += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  }
  return sum / asked.length;
}

/**
 * Returns one side's p50 when all pages are in memory. The requests of the two sides do not alternate, because a
 * statement that reads a thousand pages replaces the contents of the processor's caches.
 */
async function fromMemory({ pool }: History, { ask }: Side, asked: readonly Asked[]): Promise<number> {
  const times: number[] = [];
  for (let repeat = 0; repeat <= REPEATS; repeat += 1) {
    for (const one of asked) {
      const time = await millisecondsOf(async () => await ask(pool, one));
      if (repeat > 0) times.push(time);
    }
  }
  return median(times);
}

/**
 * Returns one side's p50 after all pages of the tables have been evicted from memory. Requests face this situation when
 * the history is much larger than memory.
 */
async function fromDisk({ pool, cold }: History, { ask }: Side, asked: readonly Asked[]): Promise<number> {
  const times: number[] = [];
  for (const one of asked) {
    await cold.evict();
    times.push(await millisecondsOf(async () => await ask(pool, one)));
  }
  return median(times);
}

const MEASURES = [
  { name: 'from memory', unit: 'ms p50', rounds: ROUNDS, of: fromMemory },
  { name: 'from disk', unit: 'ms p50', rounds: ROUNDS, of: fromDisk },
  { name: 'pages', unit: 'buffers touched', rounds: 1, of: buffersOf },
];

/** Returns a row for each density, and the figure's growth from the first density to the last. */
function rowsOf(work: string, unit: string, densities: readonly Pair[][]): Measurement[] {
  const compare = (pairs: readonly Pair[]) => ({
    milepost: pairs.map(({ milepost }) => milepost),
    against: { name: 'GROUP BY', figures: pairs.map(({ peer }) => peer) },
  });
  const [sparse = [], dense = []] = densities;
  const growth = dense.map(({ milepost, peer }, round) => ({
    milepost: milepost / (sparse[round]?.milepost ?? Number.NaN),
    peer: peer / (sparse[round]?.peer ?? Number.NaN),
  }));
  const grown = { work: `${work}, growth`, unit: 'times', ...compare(growth) };
  return [
    ...DENSITIES.map((density, place) => ({
      work: `${work}, ${density} trips per driver per day`,
      unit,
      ...compare(densities[place] ?? []),
    })),
    grown,
    { ...grown, against: null, goal: atMost(MAX_GROWTH) },
  ];
}

await using milepost = await startMilepost();
await using ends = new AsyncDisposableStack();
const histories: History[] = [];
for (const density of DENSITIES) histories.push(await makeHistory(milepost, density, ends));
const asked = drawRequests();
const measurements: Measurement[] = [];
for (const { name, milepost: ours, peer } of SUMMARIES) {
  for (const { pool } of histories) {
    for (const one of asked) {
      if (!isDeepStrictEqual(JSON.parse(await ours.ask(pool, one)), JSON.parse(await peer.ask(pool, one))))
        throw new Error(`${name} of ${one.day}: the peer returns different sums.`);
    }
  }
  for (const { name: place, unit, rounds, of } of MEASURES) {
    const works = histories.map((history) => async () => ({
      milepost: await of(history, ours, asked),
      peer: await of(history, peer, asked),
    }));
    measurements.push(...rowsOf(`${name}, ${place}`, unit, await inRounds(rounds, works)));
  }
}
const sizes = { trips: DENSITIES.map((density) => density * DRIVERS * DAYS).join(', '), drivers: DRIVERS, days: DAYS };
await report(measurements, { ...sizes, requests: REQUESTS, rounds: ROUNDS, seed: SEED }, milepost.database);
