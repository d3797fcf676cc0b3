/** The erasure of a driver with many trips, and its cost for later records. About a minute. */

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseRecord } from '@milepost/domain/records';
import { eraseDriver } from '@milepost/erasure';
import { append, claimSource, readRecord } from '@milepost/event-log';
import { type Pool, ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { standardTrip } from '@milepost/sample-fleet';
import { encodeTrailPath, trailPathToJson } from '@milepost/trail-codec';
import { openPool } from '../support/pipeline.ts';
import { startMilepost } from './support/milepost.ts';
import { type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { writeStandardTrips } from './support/trip-files.ts';

const DRIVERS = 10;
const TRIPS = size(10_000, 500);
const POINTS = 300;
const DAYS = 120;
const BATCH = 500;
const ROUNDS = size(9, 1);
const ERASURES = size(6, 2);
const IV_BYTES = 12;
const TAG_BYTES = 16;

interface Packed {
  path: Parameters<typeof encodeTrailPath>[0];
  bytes: Uint8Array;
}

function encrypt(key: Buffer, bytes: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, bytes: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** Returns, for each round, how many microseconds `work` takes per value on average. */
function roundsOf<Value>(values: readonly Value[], work: (value: Value) => unknown): number[] {
  return Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    for (const value of values) work(value);
    return ((performance.now() - start) * 1000) / values.length;
  });
}

/**
 * Measures the alternative, which is a key for each driver. The result is the time that the keys add to each trail at
 * ingest and to each trip detail.
 */
function measureKeys(trails: readonly Packed[]): Measurement[] {
  const key = randomBytes(32);
  const encrypted = trails.map(({ bytes }) => encrypt(key, bytes));
  const plain = { unit: 'us', goal: null };
  return [
    {
      ...plain,
      work: 'a key for each driver instead: encrypt a trail',
      milepost: roundsOf(trails, ({ bytes }) => encrypt(key, bytes)),
      against: { name: 'encode it', figures: roundsOf(trails, ({ path }) => encodeTrailPath(path)) },
    },
    {
      ...plain,
      work: 'a key for each driver instead: decrypt a trail',
      milepost: roundsOf(encrypted, (bytes) => decrypt(key, bytes)),
      against: { name: 'trail to JSON', figures: roundsOf(trails, ({ bytes }) => trailPathToJson(bytes)) },
    },
  ];
}

/**
 * Returns, for each round, how many microseconds appending a batch takes per record on average. Once erasures exist,
 * ingest checks each record against them.
 */
async function appendMicroseconds(pool: Pool, lines: readonly string[]): Promise<number[]> {
  let claim = await claimSource(pool, 'bench', 0);
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const records = lines.map((line, index) => {
      const raw = Buffer.from(line.replace(/"source_trip_id":"/, `"source_trip_id":"${claim.nextOffset}-`));
      return { offset: claim.nextOffset + index, raw, prepared: readRecord(raw, Date.now()) };
    });
    const start = performance.now();
    claim = (await append(pool, claim, records, claim.nextOffset + records.length)).claim;
    rounds.push(((performance.now() - start) * 1000) / records.length);
  }
  return rounds;
}

/** Measures how long it takes to erase a driver with many trips, and what the erasure costs for later records. */
await using milepost = await startMilepost();
const [eraser, ingest] = [openPool(milepost.url, ROLES.eraser, 2), openPool(milepost.url, ROLES.ingest, 2)];
await using pools = new AsyncDisposableStack();
pools.defer(async () => void (await Promise.all([eraser.end(), ingest.end()])));
const file = join(milepost.directory, 'standard.ndjson');
await writeStandardTrips(file, { trips: TRIPS, points: POINTS, drivers: DRIVERS, days: DAYS });
const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
const sample = lines.slice(0, BATCH);
const trips = sample.map((line): ReturnType<typeof parseRecord> => parseRecord(Buffer.from(line), Date.now()));
const trails = trips.flatMap((parsed): Packed[] => {
  if (!parsed.ok || parsed.record.kind !== 'trip.processed') return [];
  const path = parsed.record.trail_path;
  return [{ path, bytes: encodeTrailPath(path) }];
});
const keys = measureKeys(trails);

await milepost.run('migrate');
milepost.start('projector');
await milepost.run('ingest', file, '--wait', '--json');
const options = { seed: 2, endDate: '2026-01-01', trips: BATCH, points: POINTS, drivers: 100, days: DAYS };
const others = Array.from({ length: BATCH }, (_, index) =>
  standardTrip(index, options)
    .value.toString()
    .replace(/"fleet_id":"[^"]*"/, '"fleet_id":"bench-others"'),
);
const without = await appendMicroseconds(ingest, others);
const { rows } = await ingest.query<{ fleet_id: string; driver_id: string }>(
  `SELECT DISTINCT fleet_id, driver_id FROM stored_event WHERE fleet_id <> 'bench-others' AND kind = 1`,
);
const erasing: Record<'figures' | 'nothing', number[]> = { figures: [], nothing: [] };
for (const [index, { fleet_id, driver_id }] of rows.slice(0, ERASURES).entries()) {
  const keepAggregates = index % 2 === 0;
  const start = performance.now();
  const request = { fleetId: fleet_id, driverId: driver_id, reason: 'bench', keepAggregates };
  const { stored_events } = await eraseDriver(eraser, PROJECTIONS, request);
  const microseconds = ((performance.now() - start) * 1000) / stored_events;
  (keepAggregates ? erasing.figures : erasing.nothing).push(microseconds);
}
const withErasures = await appendMicroseconds(ingest, others);
const erased = { unit: 'us per stored event', against: null, goal: null };
await report(
  'erasure',
  [
    { ...erased, work: 'erase a driver, figures kept', milepost: erasing.figures },
    { ...erased, work: 'erase a driver, nothing kept', milepost: erasing.nothing },
    {
      work: 'append after erasures',
      unit: 'us per record',
      milepost: withErasures,
      against: { name: 'before any', figures: without },
      goal: null,
    },
    ...keys,
  ],
  { trips: TRIPS, points: POINTS, drivers: DRIVERS, days: DAYS, batch: BATCH, rounds: ROUNDS },
  ingest,
);
