import { PROJECTIONS } from '@milepost/projections';
import type { Pool } from 'pg';

/** Bodies are made for the first copy of so many: they are what takes the space. */
const COPIES_WITH_BODIES = 10;

/**
 * What differs in copy `c` (1, 2, ...) of a row `t`: another driver, who drives what the original drives. Ids have the
 * length that they would have, so rows have their size; ordinals go on where those of the last copy ended.
 */
const DRIVER = "concat(t.driver_id, '-', c)";
const TRIP = "md5(concat(t.trip_id, '-', c))::uuid";
const quoted = (name: string, value: string) => `concat('"${name}":', to_json(${value}))`;
const TRIP_TEXT = (id: string) => `replace((${id})::text, '-', '')`;

const DIFFERING: Record<string, string> = {
  driver_id: DRIVER,
  trip_id: TRIP,
  position: 't.position + c * originals.head',
  tracking_id: "t.tracking_id || '-' || c",
  ordinal: 't.ordinal + c * originals.drivers',
  profile: `replace(t.profile, ${quoted('driver_id', 't.driver_id')}, ${quoted('driver_id', DRIVER)})`,
  list_entry: `replace(t.list_entry, ${TRIP_TEXT('t.trip_id')}, ${TRIP_TEXT(TRIP)})`,
};

/** Fills the live table of a projection with `times` - 1 copies of each row, and builds its indexes anew. */
async function multiply(database: Pool, name: string, copies: string): Promise<void> {
  const projection = PROJECTIONS.find((candidate) => candidate.name === name);
  const { rows: live } = await database.query<{ generation: number }>(
    'SELECT generation FROM projection.generation WHERE projection = $1 AND live',
    [name],
  );
  const table = `read.${name}_${live[0]?.generation}`;
  const { rows } = await database.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
  const columns = rows.map((row) => row.name);
  const values = columns.map((column) => DIFFERING[column] ?? `t.${column}`);
  await database.query(`
    CREATE TEMPORARY TABLE originals AS
      SELECT (SELECT count(*) FROM read.drivers) AS drivers, (SELECT position FROM log.head) AS head;
    CREATE TEMPORARY TABLE original AS SELECT * FROM ${table};
    TRUNCATE ${table};
    -- A replay fills whole pages: room is left from when the indexes are made.
    ALTER TABLE ${table} RESET (fillfactor);
    DO $$ DECLARE made record; BEGIN
      FOR made IN SELECT conname FROM pg_constraint WHERE conrelid = '${table}'::regclass AND contype IN ('p', 'u') LOOP
        EXECUTE format('ALTER TABLE ${table} DROP CONSTRAINT %I', made.conname);
      END LOOP;
      FOR made IN SELECT indexrelid::regclass AS index FROM pg_index WHERE indrelid = '${table}'::regclass LOOP
        EXECUTE format('DROP INDEX %s', made.index);
      END LOOP;
    END $$;
    INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map((column) => `t.${column}`).join(', ')} FROM original t;
    -- Copy after copy, each in the order of the originals, as a replay would fill them: LATERAL keeps the planner to it.
    INSERT INTO ${table} (${columns.join(', ')})
      SELECT ${values.join(', ')} FROM originals, ${copies} c, LATERAL (SELECT * FROM original OFFSET c * 0) t;
    SET maintenance_work_mem = '512MB';
    ${projection?.createIndexes(table)};
    DROP TABLE original, originals`);
  await database.query(`VACUUM (ANALYZE) ${table}`);
}

/** Makes `times` as many drivers of those that are there. */
export async function multiplyDrivers(database: Pool, times: number): Promise<void> {
  await multiply(database, 'drivers', `generate_series(1, ${times - 1})`);
  await database.query('CHECKPOINT');
}

/** Adds the bodies of the trips in `copies`, at the positions that these show. */
async function multiplyBodies(database: Pool, copies: string): Promise<void> {
  await database.query(`
    INSERT INTO log.trip_body (position, trail_path, trip_events)
      SELECT t.position + c * head.position, t.trail_path, t.trip_events
      FROM log.head, ${copies} c, LATERAL (SELECT * FROM log.trip_body OFFSET c * 0) t`);
  await database.query('VACUUM (ANALYZE) log.trip_body');
}

/**
 * Makes `times` as many drivers, with as many trips, days and weeks each, and bodies for a part of the trips. The drivers come last, as the other tables take their number for the originals'.
 */
export async function multiplyReadTables(database: Pool, times: number): Promise<void> {
  const all = `generate_series(1, ${times - 1})`;
  for (const name of ['trips', 'daily_rollups', 'weekly_rollups']) await multiply(database, name, all);
  await multiplyBodies(database, `generate_series(1, ${times - 1}, ${COPIES_WITH_BODIES})`);
  await multiplyDrivers(database, times);
}
