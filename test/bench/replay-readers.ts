/** The latency of readers during a full replay, with and without the automatic throttle. About three minutes. */

import { setTimeout as delay } from 'node:timers/promises';
import { dateOf, MILLISECONDS_PER_DAY, mondayOf } from '@milepost/domain/calendar';
import { Pool } from 'pg';
import { ON_LANE } from '../support/database.ts';
import { freePorts } from '../support/services/free-port.ts';
import { median } from './support/figures.ts';
import { fillLog } from './support/large-log.ts';
import { startMilepost } from './support/milepost.ts';
import { fillReadTables } from './support/reading-api.ts';
import { type Goal, type Measurement, report } from './support/results.ts';
import { type Reading, readInBursts } from './support/steady-readers.ts';
import { untilReady } from './support/until-ready.ts';

const FLEET = 'sunrise-delivery';
const TRIPS = Number(process.env['BENCH_TRIPS'] ?? 200_000);
const REQUESTS_PER_SECOND = 200;
const SECONDS = 6;
const ROUNDS = 5;
const POINTS = 300;
/** The maximum p99 under the automatic throttle, relative to p99 without a replay. */
const MAX_P99 = 2;

/** Measures the latency of readers during a replay of everything, with and without the automatic throttle. */
const milepost = await startMilepost();
const database = new Pool({ connectionString: milepost.url, max: 1, ...ON_LANE });
try {
  await fillLog(milepost.url, { trips: TRIPS, points: POINTS, drivers: 200, days: 170 });
  await fillReadTables(milepost.url, database);
  const [apiPort, opsPort] = await freePorts(2);
  milepost.start('ops', { OPS_PORT: String(opsPort), OPS_TOKEN: 'bench' });
  milepost.start('projector');
  milepost.start('api', { PORT: String(apiPort), RATE_LIMIT_PER_MINUTE: '1000000000' });
  const key = (await milepost.run('keys', 'create', '--fleet', FLEET)).trim();
  const base = `http://127.0.0.1:${apiPort}`;
  await untilReady(`${base}/readyz`);
  const headers = { authorization: `APIKEY ${key}`, 'content-type': 'application/json' };
  const day = dateOf(Date.now() - 20 * MILLISECONDS_PER_DAY);
  const { rows } = await database.query<{ trip_id: string }>(
    "SELECT replace(trip_id::text, '-', '') AS trip_id FROM trips WHERE trip_end_time < (extract(epoch FROM now()) - 86400) * 1000 LIMIT 1",
  );
  const drivers = Array.from({ length: 20 }, (_, index) => `driver_id=driver-${index * 7}`).join('&');
  const paths = [
    '/api/v1/drivers?limit=100',
    `/api/v1/driver/driver-3/trips?start_date=${day}&limit=50`,
    `/api/v1/trip/trip_id/${rows[0]?.trip_id}`,
    `/api/v1/driver-aggregate/daily?start_date=${day}&${drivers}`,
    `/api/v1/driver-aggregate/weekly?start_date=${mondayOf(day)}&${drivers}`,
  ];
  const read = async () =>
    await readInBursts({ base, headers }, paths, { requestsPerSecond: REQUESTS_PER_SECOND, seconds: SECONDS });
  await read();
  const readings: { idle: Reading; auto: Reading; off: Reading }[] = [];
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const idle = await read();
    const during = async (throttle: string) => {
      const id = (await milepost.run('replay', 'start', 'all', '--throttle', throttle)).trim();
      await delay(1_500);
      const reading = await read();
      const view = JSON.parse(await milepost.run('replay', 'show', id, '--json'));
      if (throttle === 'auto') rates.push(view.trips_per_second ?? 0);
      await milepost.run('replay', 'cancel', id, '--wait');
      return reading;
    };
    readings.push({ idle, auto: await during('auto'), off: await during('off') });
  }
  console.log(`replay under the automatic throttle: ${median(rates).toFixed(0)} trips/s`);
  const row = (throttle: 'auto' | 'off', figure: keyof Reading, goal: Goal | null): Measurement => ({
    work: `${figure} of readers while everything is replayed, throttle ${throttle}`,
    unit: 'ms',
    milepost: readings.map((reading) => reading[throttle][figure]),
    against: { name: 'no replay', figures: readings.map((reading) => reading.idle[figure]) },
    goal,
  });
  await report(
    'replay-readers',
    [
      row('auto', 'p99', { is: 'at most', value: MAX_P99 }),
      row('auto', 'p50', null),
      row('off', 'p99', null),
      row('off', 'p50', null),
    ],
    { trips: TRIPS, points: POINTS, 'requests/s': REQUESTS_PER_SECOND, rounds: ROUNDS, 'seconds a round': SECONDS },
    database,
  );
} finally {
  await database.end();
  await milepost.stop();
}
