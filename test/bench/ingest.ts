/**
 * Measures the rate at which trips from files become readable in all tables, and their bytes per trip in the database.
 * About a minute.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { startMilepost } from './support/milepost.ts';
import { readSizes } from './support/relation-sizes.ts';
import { type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { type TripFile, writeSmallTrips, writeStandardTrips } from './support/trip-files.ts';

const TRIPS = size(5_000, 200, 'TRIPS');
const STANDARD = { points: 300, drivers: 100, days: 30 };
/** So many small trips that each driver has ten of them on a day. */
const SMALL_TRIPS = 4 * TRIPS;
/** A table or index with fewer bytes per trip is not printed. */
const WORTH_SHOWING = 10;

/** The files to ingest, each with how many database bytes it may need per byte of JSON. */
const WORKS = [
  {
    size: 'standard',
    mostBytes: 0.15,
    write: async (path: string) => await writeStandardTrips(path, { trips: TRIPS, ...STANDARD }),
  },
  { size: 'small', mostBytes: 0.8, write: async (path: string) => await writeSmallTrips(path, SMALL_TRIPS) },
];

/**
 * Returns how many seconds JSON.parse alone needs for the same lines on one core, which is a lower bound for reading
 * JSON.
 */
async function parseSeconds(path: string): Promise<number> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const start = performance.now();
  for (const line of lines) JSON.parse(line);
  return (performance.now() - start) / 1000;
}

/** Returns the bytes per trip of all tables and indexes. Prints the large ones. */
async function bytesPerTrip(database: Pool, { trips }: TripFile): Promise<number> {
  const relations = await readSizes(database);
  for (const { name, bytes } of relations.filter((relation) => relation.bytes >= WORTH_SHOWING * trips))
    console.log(`${(bytes / trips).toFixed(0).padStart(6)} bytes per trip  ${name}`);
  return relations.reduce((sum, relation) => sum + relation.bytes, 0) / trips;
}

/**
 * Measures how long it takes from the start of `milepost ingest FILE --wait` until all trips in a file are readable in
 * all read tables, and how many bytes the trips need in the database.
 */
const measurements: Measurement[] = [];
for (const { size, mostBytes, write } of WORKS) {
  await using milepost = await startMilepost();
  const { database } = milepost;
  const file = await write(join(milepost.directory, 'trips.ndjson'));
  await milepost.run('migrate');
  milepost.start('projector');
  const floor = await parseSeconds(file.path);
  const start = performance.now();
  await milepost.run('ingest', file.path, '--wait', '--json');
  const seconds = (performance.now() - start) / 1000;
  measurements.push(
    {
      work: `file of ${size} trips until readable in all tables, including the start of the command`,
      unit: 'trips/s',
      milepost: [file.trips / seconds],
      against: { name: 'JSON.parse alone', figures: [file.trips / floor] },
      goal: null,
    },
    {
      work: `database bytes per ${size} trip: log, read tables, indexes`,
      unit: 'bytes',
      milepost: [await bytesPerTrip(database, file)],
      against: { name: 'its JSON', figures: [file.bytesPerTrip] },
      goal: { is: 'at most', value: mostBytes },
    },
  );
  if (size === 'small')
    await report(
      'ingest',
      measurements,
      { 'standard trips': TRIPS, 'small trips': SMALL_TRIPS, ...STANDARD },
      database,
    );
}
