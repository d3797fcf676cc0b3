import { DRIVING_FIELDS, EVENT_SUMMARY_FIELDS } from '@milepost/domain/vocabulary';
import type { Audit, AuditedField } from '../engine/index.ts';
import { CAUSES_OF_TRIP, DATE_OF_TRIP, readableJson, TRIP_KEY, TRIPS_SHOWN } from '../log/audit.ts';
import { listEntryJson } from './list-entry.ts';

const DECIMALS = [
  ...DRIVING_FIELDS,
  'night_driving_miles',
  'start_latitude',
  'start_longitude',
  'end_latitude',
  'end_longitude',
];
/** The entry repeats some columns of its row, so a separate field says whether the two agree. */
const AGREEMENT = `CASE WHEN entry.trip_start_time = trip.trip_start_time
  AND entry.trip_end_time = trip.trip_end_time AND entry.trip_id = replace(trip.trip_id::text, '-', '')
  THEN 'agrees' ELSE 'contradicts the row' END`;

/** The column of the same name in the log and in the table. */
const same = (name: string): AuditedField => [`trip.${name}`, `trip.${name}`];
/** Doubles distinguish 0 and -0, but entries written by earlier releases do not. Adding zero converts -0 to 0. */
const figures = (names: readonly string[], actual: (name: string) => string) =>
  Object.fromEntries(names.map((name): [string, AuditedField] => [name, [`trip.${name}::float8 + 0`, actual(name)]]));

const columns = (names: readonly string[]) => names.map((name) => `${name} float8`).join(', ');

/** Compares each trip's row with its stored event, figure by figure. */
export const audit: Audit = {
  // The tracking id comes last because, unlike a driver's id, it may contain any character.
  fields: {
    driver_id: same('driver_id'),
    position: same('position'),
    trip_start_time: same('trip_start_time'),
    trip_end_time: same('trip_end_time'),
    insurance_period: ['trip.insurance_period', 'entry.insurance_period'],
    ...figures(DECIMALS, (name) => `entry.${name} + 0`),
    ...figures(EVENT_SUMMARY_FIELDS, (name) => `summary.${name}`),
    entry: [`'agrees'`, AGREEMENT],
    tracking_id: same('tracking_id'),
  },
  expected: (value) => `SELECT ${DATE_OF_TRIP} AS day, ${TRIP_KEY} AS key, ${value} AS value FROM ${TRIPS_SHOWN}`,
  actual: (table, value) => `
    SELECT ${DATE_OF_TRIP} AS day, concat(trip.fleet_id, '/', replace(trip.trip_id::text, '-', '')) AS key, ${value} AS value
    FROM ${table} trip,
      json_to_record(${readableJson(listEntryJson('trip'))}) AS entry (trip_id text, trip_start_time bigint,
        trip_end_time bigint, insurance_period smallint, ${columns(DECIMALS)}, event_summary json),
      json_to_record(entry.event_summary) AS summary (${columns(EVENT_SUMMARY_FIELDS)})`,
  causes: CAUSES_OF_TRIP,
};
