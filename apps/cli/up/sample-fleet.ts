import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays, dateOf, mondayOf } from '@milepost/domain/calendar';
import { fileSource } from '@milepost/domain/ids';
import { TRIP_PROCESSED } from '@milepost/domain/vocabulary';
import { execute, type Pool, query, queryRow, ROLES, statement } from '@milepost/postgres';
import type { SimulatedRecord } from '@milepost/sample-fleet';
import type { WithPool } from '../database.ts';
import { loadFiles, waitForReadTables } from '../load-files.ts';
import { counted } from '../output.ts';
import { simulatedRecords, withProgress } from '../simulate/records.ts';
import { writeToFile } from '../simulate/to-ndjson.ts';

export const SAMPLE_FLEET_ID = 'sunrise-delivery';

const SAMPLE = { seed: 1, drivers: 40, days: 45, fleet: SAMPLE_FLEET_ID };

/** Generates the fleet, and a trip whose id does not depend on the day, for the examples in the API reference. */
function* sampleRecords(now: number): Generator<SimulatedRecord> {
  yield* simulatedRecords(SAMPLE, now);
  yield* simulatedRecords({ ...SAMPLE, standard: 1 }, now);
}

const NEEDS_SAMPLE = statement('needs-sample', { empty: 'boolean', started: 'boolean' })`
  SELECT position = 0 AS empty, EXISTS (SELECT FROM log_source WHERE topic = $1) AS started FROM log_head`;

/** Whether the log is empty, or contains only a part of `file` because an earlier start was interrupted. */
async function needsSample(pool: Pool, file: string): Promise<boolean> {
  const { empty, started } = await queryRow(pool, NEEDS_SAMPLE, [fileSource(file)]);
  // The file is removed once it has been loaded, so an existing file belongs to an interrupted load. Ignore it if its
  // load into this database never began.
  return empty || (started && existsSync(file));
}

/**
 * Loads a sample fleet, whose last day is yesterday, into an empty log, as `milepost ingest FILE` does. Then it waits
 * until the read tables contain the fleet. An interrupted load is repeated; records that are already stored count as
 * duplicates.
 */
export async function loadSampleFleet(
  withPool: WithPool,
  home: string,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  const file = join(home, 'sample-fleet.ndjson');
  if (!(await withPool(ROLES.operator, (pool) => needsSample(pool, file)))) return;
  say(`Loading a sample fleet: ${SAMPLE.drivers} drivers, ${SAMPLE.days} days (SAMPLE_FLEET=off loads none).`);
  const records = withProgress(sampleRecords(Date.now()), { days: SAMPLE.days, total: undefined });
  await writeToFile(records, file, signal);
  const { counts, headPositions } = await loadFiles(withPool, [file], signal);
  await waitForReadTables(withPool, headPositions, signal);
  await rm(file);
  say(
    `Loaded ${counts.read} records: ${counts.stored} stored, ${counted(counts.duplicates, 'duplicate')}, ${counted(counts.dead_letters, 'dead letter')}.`,
  );
}

const HAS_SAMPLE_FLEET = statement('has-sample-fleet')`
  SELECT FROM stored_event WHERE fleet_id = $1 AND kind = ${TRIP_PROCESSED} AND effective LIMIT 1`;

/** Whether the log contains trips of the sample fleet. */
export async function hasSampleFleet(pool: Pool): Promise<boolean> {
  return (await execute(pool, HAS_SAMPLE_FLEET, [SAMPLE_FLEET_ID])) === 1;
}

/** The trip list and the trip detail show a trip from four hours after its end. */
const VISIBLE_AFTER_MILLISECONDS = 4 * 3_600_000;

const FIND_EXAMPLE_TRIP = statement('find-example-trip', {
  driver_id: 'text!',
  trip_id: 'text',
  tracking_id: 'text?',
  trip_start_time: 'number!',
})`
  SELECT driver_id, replace(trip_id::text, '-', '') AS trip_id, tracking_id, trip_start_time
  FROM stored_event AS trip
  WHERE fleet_id = $1 AND kind = ${TRIP_PROCESSED} AND effective
    AND trip_start_time >= $2 AND trip_start_time < $3 AND trip_end_time <= $4
    AND NOT EXISTS (SELECT FROM stored_event AS later WHERE later.supersedes = trip.position)
  ORDER BY tracking_id IS NULL, driver_id !~ '^[A-Za-z0-9_-]+$', trip_start_time DESC, trip_id LIMIT 1`;

/**
 * Finds a fleet's latest trip that every endpoint shows. Prefers trips with a tracking id, and with a driver id that
 * contains only plain characters. Returns null if there is none in the last five months.
 */
export async function findExampleTrip(pool: Pool, fleetId: string, now: number) {
  const today = dateOf(now);
  const [from, to] = [Date.parse(addDays(today, -150)), Date.parse(today)];
  const [row] = await query(pool, FIND_EXAMPLE_TRIP, [fleetId, from, to, now - VISIBLE_AFTER_MILLISECONDS]);
  if (!row) return null;
  const date = dateOf(row.trip_start_time);
  const { driver_id: driverId, trip_id: tripId, tracking_id: trackingId } = row;
  // The day is in the past, so its summary exists.
  return { driverId, tripId, trackingId, date, monday: mondayOf(date) };
}

/** The ids and dates in the example requests. */
export type ExampleTrip = NonNullable<Awaited<ReturnType<typeof findExampleTrip>>>;
