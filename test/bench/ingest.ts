/** Files of trips to answers in all tables, and the bytes of a trip in the database. About a minute. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';
import { startMilepost } from './support/milepost.ts';
import { readSizes } from './support/relation-sizes.ts';
import { type Measurement, report } from './support/results.ts';
import { type TripFile, writeSmallTrips, writeStandardTrips } from './support/trip-files.ts';

const TRIPS = Number(process.env['BENCH_TRIPS'] ?? 5_000);
const STANDARD = { points: 300, drivers: 100, days: 30 };
/** Enough of them that a day of one driver has its ten. */
const SMALL_TRIPS = 4 * TRIPS;
/** Bytes a trip from which on a table or index is shown. */
const WORTH_SHOWING = 10;

/** What is ingested, and at most how many bytes in the database by bytes of JSON. */
const WORKS = [
  {
    size: 'standard',
    mostBytes: 0.15,
    write: async (path: string) => await writeStandardTrips(path, { trips: TRIPS, ...STANDARD }),
  },
  { size: 'small', mostBytes: 0.8, write: async (path: string) => await writeSmallTrips(path, SMALL_TRIPS) },
];

/** What nobody can beat without leaving JSON: JSON.parse of the same lines, alone, on one core. */
async function parseSeconds(path: string): Promise<number> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const start = performance.now();
  for (const line of lines) JSON.parse(line);
  return (performance.now() - start) / 1000;
}

/** The bytes of all tables and indexes a trip; those that matter are printed. */
async function bytesPerTrip(database: Pool, { trips }: TripFile): Promise<number> {
  const relations = await readSizes(database);
  for (const { name, bytes } of relations.filter((relation) => relation.bytes >= WORTH_SHOWING * trips))
    console.log(`${(bytes / trips).toFixed(0).padStart(6)} bytes a trip  ${name}`);
  return relations.reduce((sum, relation) => sum + relation.bytes, 0) / trips;
}

/** `milepost ingest FILE --wait`: from a file of trips to answers in all read tables, and what they weigh there. */
const measurements: Measurement[] = [];
for (const { size, mostBytes, write } of WORKS) {
  const milepost = await startMilepost();
  const database = new Pool({ connectionString: milepost.url, max: 1 });
  try {
    const file = await write(join(milepost.directory, 'trips.ndjson'));
    await milepost.run('migrate');
    milepost.start('projector');
    const floor = await parseSeconds(file.path);
    const start = performance.now();
    await milepost.run('ingest', file.path, '--wait', '--json');
    const seconds = (performance.now() - start) / 1000;
    measurements.push(
      {
        work: `file of ${size} trips to readable in all tables, start of the command included`,
        unit: 'trips/s',
        milepost: [file.trips / seconds],
        against: { name: 'JSON.parse alone', figures: [file.trips / floor] },
        goal: null,
      },
      {
        work: `database bytes a ${size} trip: log, read tables, indexes`,
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
  } finally {
    await database.end();
    await milepost.stop();
  }
}
