import { DRIVING_FIELDS, EVENT_SUMMARY_FIELDS } from '@milepost/domain/vocabulary';
import { type Audit, auditedValue } from '../engine/index.ts';
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
/** The tracking id comes last because, unlike a driver's id, it may contain any character. */
const FIELDS = [
  'driver_id',
  'position',
  'trip_start_time',
  'trip_end_time',
  'insurance_period',
  ...DECIMALS,
  ...EVENT_SUMMARY_FIELDS,
  'entry',
  'tracking_id',
];

/** The columns with the same names in the log and in the table. */
const COLUMNS = Object.fromEntries(
  ['driver_id', 'position', 'trip_start_time', 'trip_end_time', 'tracking_id'].map((name) => [name, `trip.${name}`]),
);

/** Doubles distinguish 0 and -0, but entries written by earlier releases do not. Adding zero converts -0 to 0. */
const EXPECTED = auditedValue(FIELDS, {
  ...COLUMNS,
  ...Object.fromEntries([...DECIMALS, ...EVENT_SUMMARY_FIELDS].map((name) => [name, `trip.${name}::float8 + 0`])),
  insurance_period: 'trip.insurance_period',
  entry: `'agrees'`,
});

/** The entry repeats some columns of its row, so a separate field says whether the two agree. */
const AGREEMENT = `CASE WHEN entry.trip_start_time = trip.trip_start_time
  AND entry.trip_end_time = trip.trip_end_time AND entry.trip_id = replace(trip.trip_id::text, '-', '')
  THEN 'agrees' ELSE 'contradicts the row' END`;

const ACTUAL = auditedValue(FIELDS, {
  ...COLUMNS,
  ...Object.fromEntries(DECIMALS.map((name) => [name, `entry.${name} + 0`])),
  ...Object.fromEntries(EVENT_SUMMARY_FIELDS.map((name) => [name, `summary.${name}`])),
  insurance_period: 'entry.insurance_period',
  entry: AGREEMENT,
});

const columns = (names: readonly string[]) => names.map((name) => `${name} float8`).join(', ');

/** Compares each trip's row with its stored event, figure by figure. */
export const audit: Audit = {
  fields: FIELDS,
  expected: `SELECT ${DATE_OF_TRIP} AS day, ${TRIP_KEY} AS key, ${EXPECTED} AS value FROM ${TRIPS_SHOWN}`,
  actual: (table) => `
    SELECT ${DATE_OF_TRIP} AS day, concat(trip.fleet_id, '/', replace(trip.trip_id::text, '-', '')) AS key, ${ACTUAL} AS value
    FROM ${table} trip,
      json_to_record(${readableJson(listEntryJson('trip'))}) AS entry (trip_id text, trip_start_time bigint,
        trip_end_time bigint, insurance_period smallint, ${columns(DECIMALS)}, event_summary json),
      json_to_record(entry.event_summary) AS summary (${columns(EVENT_SUMMARY_FIELDS)})`,
  causes: CAUSES_OF_TRIP,
};
