import { PROJECTIONS } from '@milepost/projections';
import type { Pool } from 'pg';

/** Only one in this many copies gets trip bodies, because the bodies need most of the space. */
const COPIES_WITH_BODIES = 10;

/**
 * The expressions below are for copy `c` (1, 2, ...) of a row `t`. In a copy, another driver makes the same trips. Ids
 * have their real length, so that rows have their real size. Ordinals continue after those of the previous copy.
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

/** Adds `copies` of each row to a projection's live table, and rebuilds its indexes. */
async function multiply(database: Pool, name: string, copies: string): Promise<void> {
  const projection = PROJECTIONS.find((candidate) => candidate.name === name);
  const { rows: live } = await database.query<{ generation: number }>(
    'SELECT generation FROM generation WHERE projection = $1 AND live',
    [name],
  );
  const table = `${name}_${live[0]?.generation}`;
  const { rows } = await database.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
  const columns = rows.map((row) => row.name);
  const values = columns.map((column) => DIFFERING[column] ?? `t.${column}`);
  await database.query(`
    CREATE TEMPORARY TABLE originals AS
      SELECT (SELECT count(*) FROM drivers) AS drivers, (SELECT position FROM log_head) AS head;
    CREATE TEMPORARY TABLE original AS SELECT * FROM ${table};
    TRUNCATE ${table};
    -- A replay fills whole pages. The fill factor applies after the indexes are created.
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
    -- LATERAL makes the planner insert copy after copy, each in the order of the originals, as a replay would.
    INSERT INTO ${table} (${columns.join(', ')})
      SELECT ${values.join(', ')} FROM originals, ${copies} c, LATERAL (SELECT * FROM original OFFSET c * 0) t;
    SET maintenance_work_mem = '512MB';
    ${projection?.createIndexes(table)};
    DROP TABLE original, originals`);
  await database.query(`VACUUM (ANALYZE) ${table}`);
}

/** Copies the existing drivers until there are `times` as many. */
export async function multiplyDrivers(database: Pool, times: number): Promise<void> {
  await multiply(database, 'drivers', `generate_series(1, ${times - 1})`);
  await database.query('CHECKPOINT');
}

/** Adds the bodies of the trips in `copies`, at their positions. */
async function multiplyBodies(database: Pool, copies: string): Promise<void> {
  await database.query(`
    INSERT INTO trip_body (position, trail_path, trip_events)
      SELECT t.position + c * head.position, t.trail_path, t.trip_events
      FROM log_head head, ${copies} c, LATERAL (SELECT * FROM trip_body OFFSET c * 0) t`);
  await database.query('VACUUM (ANALYZE) trip_body');
}

/**
 * Copies the existing drivers, with their trips, days and weeks, until there are `times` as many. Some of the trips get
 * bodies. The drivers are copied last, because the other copies use the number of original drivers.
 */
export async function multiplyReadTables(database: Pool, times: number): Promise<void> {
  const all = `generate_series(1, ${times - 1})`;
  for (const name of ['trips', 'daily_rollups', 'weekly_rollups']) await multiply(database, name, all);
  await multiplyBodies(database, `generate_series(1, ${times - 1}, ${COPIES_WITH_BODIES})`);
  await multiplyDrivers(database, times);
}
