import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { dateOf, MILLISECONDS_PER_DAY, startOfDay } from '@milepost/domain/calendar';
import autocannon from 'autocannon';
import { freePorts } from '../support/services/free-port.ts';
import { median, spreadPercent } from './support/figures.ts';
import { startMilepost } from './support/milepost.ts';
import { writeStandardTrips } from './support/standard-trips.ts';
import { untilReady } from './support/until-ready.ts';

const FLEET = 'sunrise-delivery';
const CONNECTIONS = 16;
const SECONDS = 4;
const ROUNDS = 5;

interface Load {
  requestsPerSecond: number;
  p99Milliseconds: number;
}

async function load(url: string, headers: Record<string, string>): Promise<Load> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed.`);
  return { requestsPerSecond: result.requests.average, p99Milliseconds: result.latency.p99 };
}

/** The trip list, 100 trips a page, against a bare handler with the same query and bytes, in turns in the same run. */
const milepost = await startMilepost();
try {
  const path = join(milepost.directory, 'trips.ndjson');
  await writeStandardTrips(path, { trips: 20_000, points: 10, drivers: 50, days: 60 });
  await milepost.run('migrate');
  milepost.start('projector');
  await milepost.run('ingest', path, '--wait');
  const key = (await milepost.run('keys', 'create', '--fleet', FLEET)).trim();

  const [port] = await freePorts(1);
  milepost.start('api', { PORT: String(port), RATE_LIMIT_PER_MINUTE: '1000000000' });
  await untilReady(`http://127.0.0.1:${port}/readyz`);
  const headers = { authorization: `APIKEY ${key}`, 'content-type': 'application/json' };
  const base = `http://127.0.0.1:${port}/api/v1`;
  const drivers: { drivers: { driver_id: string }[] } = JSON.parse(
    await (await fetch(`${base}/drivers?limit=1`, { headers })).text(),
  );
  const driver = drivers.drivers[0]?.driver_id ?? '';
  const startDate = dateOf(Date.now() - 90 * MILLISECONDS_PER_DAY);
  const url = `${base}/driver/${encodeURIComponent(driver)}/trips?start_date=${startDate}&limit=100`;

  const floorScript = join(import.meta.dirname, 'support/bare-handler.ts');
  const range = [String(startOfDay(startDate)), String(Date.now())];
  const floor = spawn(process.execPath, [floorScript, milepost.url, FLEET, driver, ...range], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [floorPort] = await once(floor.stdout, 'data');
  const floorUrl = `http://127.0.0.1:${String(floorPort).trim()}/`;

  const [ours, bare] = await Promise.all([fetch(url, { headers }), fetch(floorUrl)]);
  const [body, floorBody] = await Promise.all([ours.text(), bare.text()]);
  if (body !== floorBody) throw new Error('The floor sends other bytes than the API.');
  console.log(
    `trip list: ${JSON.parse(body).trips.length} trips, ${body.length} bytes, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s in turns`,
  );

  await load(floorUrl, {});
  await load(url, headers);
  const rounds: { floor: Load; milepost: Load }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ floor: await load(floorUrl, {}), milepost: await load(url, headers) });
  floor.kill();
  const rate = (name: 'floor' | 'milepost') => rounds.map((round) => round[name].requestsPerSecond);
  const p99 = (name: 'floor' | 'milepost') => median(rounds.map((round) => round[name].p99Milliseconds));
  for (const name of ['floor', 'milepost'] as const) {
    console.log(
      `${name.padEnd(9)} ${median(rate(name)).toFixed(0).padStart(6)} requests/s (± ${spreadPercent(rate(name)).toFixed(0)} %), p99 ${p99(name).toFixed(1)} ms`,
    );
  }
  const ratios = rounds.map((round) => round.milepost.requestsPerSecond / round.floor.requestsPerSecond);
  console.log(
    `ratio     ${median(ratios).toFixed(2)} of the floor's requests/s, p99 ${(p99('milepost') / p99('floor')).toFixed(2)} x`,
  );
} finally {
  await milepost.stop();
}
