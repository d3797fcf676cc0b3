import { median } from './support/figures.ts';
import { fillLog } from './support/large-log.ts';
import { startMilepost } from './support/milepost.ts';
import { multiplyDrivers } from './support/multiply.ts';
import { FLEET, fillReadTables, startReadingApi } from './support/reading-api.ts';
import { report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { Reader } from './support/timed-requests.ts';

const DRIVERS = size(1_000_000, 5_000, 'DRIVERS');
/** How many drivers are stored through the log. The others are copies of them in the read table. */
const ORIGINALS = 1_000;
const LIMIT = 100;
const REQUESTS = size(400, 5);
const ROUNDS = size(7, 1);
const GOAL = { is: 'at most', value: 1.2 } as const;

/**
 * Compares the last page of a million drivers with the first one. The requests are sent one at a time, in alternating
 * rounds.
 */
await using milepost = await startMilepost();
const { database } = milepost;
await fillLog(milepost.url, { trips: 20 * ORIGINALS, points: 10, drivers: ORIGINALS, days: 30 });
await fillReadTables(milepost.url, database, 'drivers');
const originals = await countDrivers();
await multiplyDrivers(database, Math.ceil(DRIVERS / originals));
const drivers = await countDrivers();
const { base, headers } = await startReadingApi(milepost, milepost.url, database);
const reader = new Reader(base, headers);
const path = (page: number) => `/api/v1/drivers?limit=${LIMIT}&page=${page}`;
const last = Math.floor(drivers / LIMIT);
const answers: { drivers: unknown[]; count: number }[] = [];
for (const page of [1, last]) answers.push(JSON.parse(await reader.get(path(page))));
if (answers.some((page) => page.drivers.length !== LIMIT || page.count !== drivers))
  throw new Error(`Pages 1 and ${last} do not have ${LIMIT} of ${drivers} drivers each.`);
const timed = async (page: number) =>
  median(await reader.milliseconds(Array.from({ length: REQUESTS }, () => path(page))));
for (const page of [1, last, 1, last]) await timed(page);
const rounds: { first: number; last: number }[] = [];
for (let round = 0; round < ROUNDS; round += 1) rounds.push({ first: await timed(1), last: await timed(last) });
reader.close();
await report(
  'driver-pages',
  [
    {
      work: `driver list, page ${last} of ${LIMIT} drivers`,
      unit: 'ms p50',
      milepost: rounds.map((round) => round.last),
      against: { name: 'page 1', figures: rounds.map((round) => round.first) },
      goal: GOAL,
    },
  ],
  { drivers, limit: LIMIT, requests_a_round: REQUESTS, rounds: ROUNDS },
  database,
);

async function countDrivers(): Promise<number> {
  const { rows } = await database.query<{ drivers: number }>(
    'SELECT count(*)::integer AS drivers FROM drivers WHERE fleet_id = $1',
    [FLEET],
  );
  return rows[0]?.drivers ?? 0;
}
