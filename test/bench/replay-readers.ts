import { setTimeout as delay } from 'node:timers/promises';
import { dateOf, MILLISECONDS_PER_DAY, mondayOf } from '@milepost/domain/calendar';
import autocannon from 'autocannon';
import { Pool } from 'pg';
import { freePorts } from '../support/services/free-port.ts';
import { median, spreadPercent } from './support/figures.ts';
import { fillLog } from './support/large-log.ts';
import { startMilepost } from './support/milepost.ts';
import { untilReady } from './support/until-ready.ts';

const FLEET = 'sunrise-delivery';
const TRIPS = Number(process.env['BENCH_TRIPS'] ?? 200_000);
const REQUESTS_PER_SECOND = 200;
const SECONDS = 6;
const ROUNDS = 5;

interface Reading {
  p50: number;
  p99: number;
}

/** The five endpoints in turn, at a rate that leaves the server time to breathe. */
async function read(base: string, headers: Record<string, string>, paths: readonly string[]): Promise<Reading> {
  const result = await autocannon({
    url: base,
    headers,
    connections: 10,
    overallRate: REQUESTS_PER_SECOND,
    duration: SECONDS,
    requests: paths.map((path) => ({ path })),
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed.`);
  return { p50: result.latency.p50, p99: result.latency.p99 };
}

/** What readers feel of a replay of everything, with the automatic throttle and without one. */
const milepost = await startMilepost();
try {
  const database = new Pool({ connectionString: milepost.url, max: 1 });
  await milepost.run('migrate');
  await fillLog(milepost.url, { trips: TRIPS, points: 300, drivers: 200, days: 170 });
  await database.query('UPDATE projection.generation SET checkpoint = (SELECT position FROM log.head) WHERE live');
  const [apiPort, opsPort] = await freePorts(2);
  milepost.start('ops', { OPS_PORT: String(opsPort), OPS_TOKEN: 'bench' });
  milepost.start('projector');
  milepost.start('api', { PORT: String(apiPort), RATE_LIMIT_PER_MINUTE: '1000000000' });
  await milepost.run('replay', 'start', 'all', '--promote', '--accept-differences', '--throttle', 'off', '--wait');
  const key = (await milepost.run('keys', 'create', '--fleet', FLEET)).trim();
  const base = `http://127.0.0.1:${apiPort}`;
  await untilReady(`${base}/readyz`);
  const headers = { authorization: `APIKEY ${key}`, 'content-type': 'application/json' };
  const day = dateOf(Date.now() - 20 * MILLISECONDS_PER_DAY);
  const { rows } = await database.query<{ trip_id: string }>(
    "SELECT replace(trip_id::text, '-', '') AS trip_id FROM read.trips WHERE trip_end_time < (extract(epoch FROM now()) - 86400) * 1000 LIMIT 1",
  );
  const drivers = Array.from({ length: 20 }, (_, index) => `driver_id=driver-${index * 7}`).join('&');
  const paths = [
    '/api/v1/drivers?limit=100',
    `/api/v1/driver/driver-3/trips?start_date=${day}&limit=50`,
    `/api/v1/trip/trip_id/${rows[0]?.trip_id}`,
    `/api/v1/driver-aggregate/daily?start_date=${day}&${drivers}`,
    `/api/v1/driver-aggregate/weekly?start_date=${mondayOf(day)}&${drivers}`,
  ];
  await read(base, headers, paths);
  console.log(
    `${TRIPS} standard trips; the five endpoints in turn at ${REQUESTS_PER_SECOND} requests/s; ${ROUNDS} rounds of ${SECONDS} s in turns`,
  );
  const readings: { idle: Reading; auto: Reading; off: Reading }[] = [];
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const idle = await read(base, headers, paths);
    const during = async (throttle: string) => {
      const id = (await milepost.run('replay', 'start', 'all', '--throttle', throttle)).trim();
      await delay(1_500);
      const reading = await read(base, headers, paths);
      const view = JSON.parse(await milepost.run('replay', 'show', id, '--json'));
      if (throttle === 'auto') rates.push(view.trips_per_second ?? 0);
      await milepost.run('replay', 'cancel', id, '--wait');
      return reading;
    };
    readings.push({ idle, auto: await during('auto'), off: await during('off') });
  }
  for (const name of ['idle', 'auto', 'off'] as const) {
    const p99 = readings.map((reading) => reading[name].p99);
    const ratios = readings.map((reading) => reading[name].p99 / reading.idle.p99);
    console.log(
      `${(name === 'idle' ? 'no replay' : `throttle ${name}`).padEnd(14)} p50 ${median(
        readings.map((reading) => reading[name].p50),
      )
        .toFixed(1)
        .padStart(
          6,
        )} ms, p99 ${median(p99).toFixed(1).padStart(6)} ms (± ${spreadPercent(p99).toFixed(0)} %), ${median(ratios).toFixed(2)} x`,
    );
  }
  console.log(`replay under the automatic throttle: ${median(rates).toFixed(0)} trips/s`);
  await database.end();
} finally {
  await milepost.stop();
}
