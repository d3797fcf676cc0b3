/** Daily summaries against GROUP BY as trips per driver per day grow from 10 to 1,000. About two minutes. */
import { isDeepStrictEqual } from 'node:util';
import { addDays, type CalendarDate, dateOf } from '@milepost/domain/calendar';
import { ROLES } from '@milepost/postgres';
import { dailySummaries } from '@milepost/projections/queries';
import { Pool } from 'pg';
import { ON_LANE } from '../support/database.ts';
import { drawFrom } from '../support/draw.ts';
import { openPool } from '../support/pipeline.ts';
import { explainPrepared } from '../support/query-plan.ts';
import { type ColdPages, coldPages } from './support/cold-pages.ts';
import { makeDatabase } from './support/databases.ts';
import { median } from './support/figures.ts';
import { groupByDay, PLAIN_TABLE } from './support/group-by.ts';
import { fillLog } from './support/large-log.ts';
import { type BenchMilepost, startMilepost } from './support/milepost.ts';
import { FLEET, fillReadTables } from './support/reading-api.ts';
import { type Measurement, report } from './support/results.ts';
import { IS_SMOKE, size } from './support/sizes.ts';

/** Trips per driver per day. Each history has the same drivers and days. */
const DENSITIES = IS_SMOKE ? [1, 2] : [10, 100, 1_000];
const DRIVERS = 50;
const DAYS = 25;
const SEED = 6;
const SUMMARISED_DRIVERS = 20;
const REQUESTS = 20;
/** How often each request is sent in a round while its pages are in memory. */
const REPEATS = size(5, 1);
const ROUNDS = size(3, 1);
const MAX_GROWTH = 1.1;

const PLACES = ['memory', 'disk'] as const;

interface Asked {
  day: CalendarDate;
  driverIds: string[];
}

/** Milepost's and the peer's p50 in milliseconds. */
interface Pair {
  milepost: number;
  peer: number;
}

interface History {
  density: number;
  ask: { milepost: (asked: Asked) => Promise<unknown>; peer: (asked: Asked) => Promise<unknown> };
  /** Returns how many shared buffers Milepost's and the peer's statements read for a request on average. */
  buffers: (asked: readonly Asked[]) => Promise<Pair>;
  cold: ColdPages;
  end: () => Promise<void>;
}

/** Returns one request for each of the last days that have ended, with randomly chosen drivers. */
function drawRequests(): Asked[] {
  const draw = drawFrom(SEED);
  return Array.from({ length: REQUESTS }, (_, request) => {
    const driverIds = new Set<string>();
    while (driverIds.size < SUMMARISED_DRIVERS) driverIds.add(`driver-${draw(DRIVERS)}`);
    return { day: addDays(dateOf(Date.now()), -3 - request), driverIds: [...driverIds] };
  });
}

async function makeHistory(milepost: BenchMilepost, density: number): Promise<History> {
  const { url } = await makeDatabase(milepost, 'migrated');
  await fillLog(url, { trips: density * DRIVERS * DAYS, points: 10, drivers: DRIVERS, days: DAYS });
  const database = new Pool({ connectionString: url, max: 1, ...ON_LANE });
  await database.query(PLAIN_TABLE);
  await fillReadTables(url, database, 'drivers,daily_rollups');
  await database.end();
  console.log(`the history with ${density} trips per driver per day is ready`);
  const pool = openPool(url, ROLES.api, 1);
  const cold = await coldPages(milepost, url, ['milepost', 'peer']);
  const buffersOf = async (name: string, values: unknown[]) => {
    const plan = await explainPrepared(pool, name, values);
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  };
  return {
    density,
    ask: {
      milepost: async ({ driverIds, day }) => await dailySummaries(pool, FLEET, driverIds, day),
      peer: async ({ driverIds, day }) => await groupByDay(pool, FLEET, driverIds, day),
    },
    buffers: async (asked) => {
      const sums = { milepost: 0, peer: 0 };
      for (const { driverIds, day } of asked) {
        sums.milepost += await buffersOf('daily-summaries', [FLEET, driverIds, day]);
        sums.peer += await buffersOf('group-by-day', [FLEET, driverIds, day, addDays(day, 1)]);
      }
      return { milepost: sums.milepost / asked.length, peer: sums.peer / asked.length };
    },
    cold,
    end: async () => {
      await Promise.all([pool.end(), cold.end()]);
    },
  };
}

async function assertSame({ ask }: History, asked: readonly Asked[]): Promise<void> {
  for (const one of asked) {
    const ours = await ask.milepost(one);
    const items = typeof ours === 'object' && ours !== null && 'items' in ours ? String(ours.items) : '';
    const others = await ask.peer(one);
    if (!isDeepStrictEqual(JSON.parse(`{"data":[${items}]}`), JSON.parse(String(others))))
      throw new Error(`${one.day}: the peer returns different sums.`);
  }
}

async function milliseconds(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

/**
 * Sends each request several times, first to Milepost and then to the peer. If the requests alternated, they would
 * affect each other, because a statement that reads a thousand pages replaces what is in the processor's caches.
 */
async function fromMemory({ ask }: History, asked: readonly Asked[]): Promise<Pair> {
  const p50 = async (side: (asked: Asked) => Promise<unknown>) => {
    const times: number[] = [];
    for (let repeat = 0; repeat <= REPEATS; repeat += 1) {
      for (const one of asked) {
        const time = await milliseconds(async () => await side(one));
        if (repeat > 0) times.push(time);
      }
    }
    return median(times);
  };
  return { milepost: await p50(ask.milepost), peer: await p50(ask.peer) };
}

/**
 * Sends each request once, after all pages of the tables are evicted from memory. Requests to a history that is much
 * larger than the memory find no page there, either.
 */
async function fromDisk({ ask, cold }: History, asked: readonly Asked[]): Promise<Pair> {
  const times: { milepost: number[]; peer: number[] } = { milepost: [], peer: [] };
  for (const one of asked) {
    await cold.evict();
    times.milepost.push(await milliseconds(async () => await ask.milepost(one)));
    await cold.evict();
    times.peer.push(await milliseconds(async () => await ask.peer(one)));
  }
  return { milepost: median(times.milepost), peer: median(times.peer) };
}

/** Returns a measure at each density, and how much it grows from the first density to the last. */
function measurementsOf(work: string, unit: string, rounds: readonly Pair[][]): Measurement[] {
  const compare = (pairs: readonly Pair[]) => ({
    milepost: pairs.map(({ milepost }) => milepost),
    against: { name: 'GROUP BY', figures: pairs.map(({ peer }) => peer) },
    goal: null,
  });
  const growth = rounds.flatMap((densities): Pair[] => {
    const [first, last] = [densities.at(0), densities.at(-1)];
    return first && last ? [{ milepost: last.milepost / first.milepost, peer: last.peer / first.peer }] : [];
  });
  const grown = { work: `${work}, growth from 10 to 1,000`, unit: 'times' };
  return [
    ...DENSITIES.map((density, place) => ({
      work: `${work}, ${density} trips per driver per day`,
      unit,
      ...compare(rounds.flatMap((densities) => densities[place] ?? [])),
    })),
    { ...grown, ...compare(growth) },
    { ...grown, ...compare(growth), against: null, goal: { is: 'at most', value: MAX_GROWTH } },
  ];
}

await using milepost = await startMilepost();
const histories: History[] = [];
await using ends = new AsyncDisposableStack();
for (const density of DENSITIES) {
  const history = await makeHistory(milepost, density);
  ends.defer(history.end);
  histories.push(history);
}
const asked = drawRequests();
for (const history of histories) await assertSame(history, asked);
const buffers: Pair[] = [];
for (const history of histories) buffers.push(await history.buffers(asked));

const rounds: Record<(typeof PLACES)[number], Pair[][]> = { memory: [], disk: [] };
for (let round = 0; round < ROUNDS; round += 1) {
  const memory: Pair[] = [];
  for (const history of histories) memory.push(await fromMemory(history, asked));
  const disk: Pair[] = [];
  for (const history of histories) disk.push(await fromDisk(history, asked));
  rounds.memory.push(memory);
  rounds.disk.push(disk);
  console.log(`round ${round + 1} of ${ROUNDS} is done`);
}

const work = `daily summary of ${SUMMARISED_DRIVERS} drivers`;
await report(
  'summaries-growth',
  [
    ...measurementsOf(`${work}, buffers`, 'buffers touched', [buffers]),
    ...PLACES.flatMap((place) => measurementsOf(`${work}, from ${place}`, 'ms p50', rounds[place])),
  ],
  {
    'trips of the histories': DENSITIES.map((density) => density * DRIVERS * DAYS).join(', '),
    drivers: DRIVERS,
    days: DAYS,
    requests: REQUESTS,
    rounds: ROUNDS,
    seed: SEED,
  },
  milepost.database,
);
