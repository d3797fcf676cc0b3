import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays, type CalendarDate, dateOf, mondayOf } from '@milepost/domain/calendar';
import { TRIP_PROCESSED } from '@milepost/domain/stored-event';
import {
  boolean,
  execute,
  nullable,
  number,
  type Pool,
  present,
  query,
  ROLES,
  statement,
  text,
} from '@milepost/postgres';
import type { SimulatedRecord } from '@milepost/sample-fleet';
import { loadFiles, showInReadTables, type WithPool } from '../load-files.ts';
import { simulatedRecords, withProgress } from '../simulate/records.ts';
import { writeToFile } from '../simulate/to-ndjson.ts';

export const SAMPLE_FLEET_ID = 'sunrise-delivery';

const SAMPLE = { seed: 1, drivers: 40, days: 45, fleet: SAMPLE_FLEET_ID };

/** The fleet, and one trip more, whose id is the same on whichever day it is loaded: the reference asks for it. */
function* sampleRecords(now: number): Generator<SimulatedRecord> {
  yield* simulatedRecords(SAMPLE, now);
  yield* simulatedRecords({ ...SAMPLE, standard: 1 }, now);
}

const NEEDS_SAMPLE = statement('needs-sample', { empty: boolean, begun: boolean })`
  SELECT position = 0 AS empty, EXISTS (SELECT FROM log.source WHERE topic = $1) AS begun FROM log.head`;

/** Whether the log holds nothing, or is only partly loaded from `file` because an earlier start was interrupted. */
async function needsSample(pool: Pool, file: string): Promise<boolean> {
  const [log] = await query(pool, NEEDS_SAMPLE, [`file:${file}`]);
  // The file is gone once it was loaded. One that another database was being loaded from is none of this one's business.
  const isLeftOver = await access(file).then(
    () => true,
    () => false,
  );
  return log !== undefined && (log.empty || (log.begun && isLeftOver));
}

/**
 * Loads a sample fleet whose last day is yesterday into an empty log, on the path that files take, and waits until the
 * read tables show it. A load that was interrupted is begun anew: records stored before count as duplicates, and
 * yesterday's half of a fleet is made whole.
 */
export async function loadSampleFleet(
  withPool: WithPool,
  home: string,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  const file = join(home, 'sample-fleet.ndjson');
  if (!(await withPool(ROLES.operator, (pool) => needsSample(pool, file)))) return;
  say(`Loading a sample fleet: ${SAMPLE.drivers} drivers, ${SAMPLE.days} days (SAMPLE_FLEET=off: none).`);
  const records = withProgress(sampleRecords(Date.now()), { days: SAMPLE.days, total: undefined });
  await writeToFile(records, file, signal);
  const { counts, headPosition } = await loadFiles(withPool, [file], signal);
  await showInReadTables(withPool, headPosition, signal);
  await rm(file);
  say(
    `Loaded ${counts.read} records: ${counts.stored} stored, ${counts.duplicates} duplicates, ${counts.dead_letters} dead letters.`,
  );
}

const HAS_SAMPLE_FLEET = statement('has-sample-fleet')`
  SELECT FROM log.stored_event WHERE fleet_id = $1 AND kind = ${TRIP_PROCESSED} AND effective LIMIT 1`;

/** Whether the log holds trips of the sample fleet. */
export async function hasSampleFleet(pool: Pool): Promise<boolean> {
  return (await execute(pool, HAS_SAMPLE_FLEET, [SAMPLE_FLEET_ID])) === 1;
}

/** What the example requests ask for. */
export interface ExampleTrip {
  driverId: string;
  tripId: string;
  trackingId: string | null;
  /** The day of the trip: over, so that summaries answer for it. */
  date: CalendarDate;
  monday: CalendarDate;
}

/** The trip list and the trip detail show a trip four hours after its end. */
const VISIBLE_AFTER_MILLISECONDS = 4 * 3_600_000;

const FIND_EXAMPLE_TRIP = statement('find-example-trip', {
  driver_id: present(text),
  trip_id: text,
  tracking_id: nullable(text),
  trip_start_time: present(number),
})`
  SELECT driver_id, replace(trip_id::text, '-', '') AS trip_id, tracking_id, trip_start_time
  FROM log.stored_event AS trip
  WHERE fleet_id = $1 AND kind = ${TRIP_PROCESSED} AND effective
    AND trip_start_time >= $2 AND trip_start_time < $3 AND trip_end_time <= $4
    AND NOT EXISTS (SELECT FROM log.stored_event AS later WHERE later.supersedes = trip.position)
  ORDER BY tracking_id IS NULL, driver_id !~ '^[A-Za-z0-9_-]+$', trip_start_time DESC, trip_id LIMIT 1`;

/**
 * A fleet's newest trip that every endpoint shows by now, with a tracking id and a plainly spelt driver if there is one;
 * null when there is none from the last five months.
 */
export async function findExampleTrip(pool: Pool, fleetId: string, now: number): Promise<ExampleTrip | null> {
  const today = dateOf(now);
  const [row] = await query(pool, FIND_EXAMPLE_TRIP, [
    fleetId,
    Date.parse(addDays(today, -150)),
    Date.parse(today),
    now - VISIBLE_AFTER_MILLISECONDS,
  ]);
  if (!row) return null;
  const date = dateOf(row.trip_start_time);
  return {
    driverId: row.driver_id,
    tripId: row.trip_id,
    trackingId: row.tracking_id,
    date,
    monday: mondayOf(date),
  };
}
