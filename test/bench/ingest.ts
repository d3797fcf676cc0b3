/** A file of standard trips to answers in all tables, and their bytes in the database. About half a minute. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';
import { startMilepost } from './support/milepost.ts';
import { report } from './support/results.ts';
import { writeStandardTrips } from './support/standard-trips.ts';

const TRIPS = 5_000;
const POINTS = 300;
const DRIVERS = 100;
const DAYS = 30;
/** Bytes a trip from which on a table or index is shown. */
const WORTH_SHOWING = 10;
/** Bytes in the database by bytes of JSON. */
const MOST_BYTES = 0.2;

/** What nobody can beat without leaving JSON: JSON.parse of the same lines, alone, on one core. */
async function parseSeconds(path: string): Promise<number> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const start = performance.now();
  for (const line of lines) JSON.parse(line);
  return (performance.now() - start) / 1000;
}

/** Bytes of every table, its own and those of its TOAST table and indexes apart: the largest first. */
async function readSizes(database: Pool): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await database.query<{ name: string; bytes: number }>(
    `SELECT concat(nspname, '.', main.relname, CASE WHEN part.oid <> main.oid THEN concat(' ', part.relname) END) AS name,
       pg_relation_size(part.oid, 'main')::float8 + pg_relation_size(part.oid, 'fsm') + pg_relation_size(part.oid, 'vm') AS bytes
     FROM pg_class main JOIN pg_namespace ON pg_namespace.oid = relnamespace
     JOIN LATERAL (
       SELECT main.oid UNION ALL SELECT main.reltoastrelid WHERE main.reltoastrelid <> 0
       UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid IN (main.oid, main.reltoastrelid)) piece ON true
     JOIN pg_class part ON part.oid = piece.oid
     WHERE nspname IN ('log', 'read', 'projection') AND main.relkind = 'r' AND pg_relation_size(part.oid) > 0
     ORDER BY bytes DESC`,
  );
  return rows;
}

/** `milepost ingest FILE --wait`: from a file of standard trips to answers in all read tables, and what they weigh there. */
const milepost = await startMilepost();
const database = new Pool({ connectionString: milepost.url, max: 1 });
try {
  const path = join(milepost.directory, 'standard.ndjson');
  const file = await writeStandardTrips(path, { trips: TRIPS, points: POINTS, drivers: DRIVERS, days: DAYS });
  await milepost.run('migrate');
  milepost.start('projector');
  const floor = await parseSeconds(path);
  const start = performance.now();
  await milepost.run('ingest', path, '--wait', '--json');
  const seconds = (performance.now() - start) / 1000;
  const relations = await readSizes(database);
  for (const { name, bytes } of relations.filter((relation) => relation.bytes >= WORTH_SHOWING * TRIPS))
    console.log(`${(bytes / TRIPS).toFixed(0).padStart(6)} bytes a trip  ${name}`);
  const bytes = relations.reduce((sum, relation) => sum + relation.bytes, 0) / TRIPS;
  await report(
    'ingest',
    [
      {
        work: 'file to readable in all tables, start of the command included',
        unit: 'trips/s',
        milepost: [TRIPS / seconds],
        against: { name: 'JSON.parse alone', figures: [TRIPS / floor] },
        goal: null,
      },
      {
        work: 'database bytes a standard trip: log, read tables, indexes',
        unit: 'bytes',
        milepost: [bytes],
        against: { name: 'its JSON', figures: [file.bytesPerTrip] },
        goal: { is: 'at most', value: MOST_BYTES },
      },
    ],
    { trips: TRIPS, points: POINTS, drivers: DRIVERS, days: DAYS },
    database,
  );
} finally {
  await database.end();
  await milepost.stop();
}
