import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';
import { startMilepost } from './support/milepost.ts';
import { writeStandardTrips } from './support/standard-trips.ts';

const TRIPS = 5_000;
const POINTS = 300;
const DRIVERS = 100;
const DAYS = 30;

/** What nobody can beat without leaving JSON: JSON.parse of the same lines, alone, on one core. */
async function parseSeconds(path: string): Promise<number> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const start = performance.now();
  for (const line of lines) JSON.parse(line);
  return (performance.now() - start) / 1000;
}

/** `milepost ingest FILE --wait`: from a file of standard trips to answers in all read tables, and what they weigh there. */
const milepost = await startMilepost();
try {
  const path = join(milepost.directory, 'standard.ndjson');
  const file = await writeStandardTrips(path, { trips: TRIPS, points: POINTS, drivers: DRIVERS, days: DAYS });
  await milepost.run('migrate');
  milepost.start('projector');
  const floor = await parseSeconds(path);
  const start = performance.now();
  const counts = await milepost.run('ingest', path, '--wait', '--json');
  const seconds = (performance.now() - start) / 1000;
  const database = new Pool({ connectionString: milepost.url, max: 1 });
  const { rows } = await database.query<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(relation.oid)) AS bytes FROM pg_class relation
     JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname IN ('log', 'read', 'projection') AND relkind = 'r'`,
  );
  await database.end();
  const bytes = Number(rows[0]?.bytes) / TRIPS;
  console.log(
    `${TRIPS} standard trips of ${POINTS} points, ${file.bytesPerTrip.toFixed(0)} bytes of JSON each; fsync on`,
  );
  console.log(`result                     ${counts.trim()}`);
  console.log(`file to read tables        ${(TRIPS / seconds).toFixed(0)} trips/s, start of the command included`);
  console.log(
    `floor: JSON.parse alone    ${(TRIPS / floor).toFixed(0)} trips/s; ratio ${(floor / seconds).toFixed(2)}`,
  );
  console.log(
    `database bytes             ${bytes.toFixed(0)} a trip, everything included: ${((bytes / file.bytesPerTrip) * 100).toFixed(1)} % of its JSON`,
  );
} finally {
  await milepost.stop();
}
