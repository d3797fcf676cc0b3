import { DRIVING_FIELDS, EVENT_SUMMARY_FIELDS, SUMMED_FIELDS, TRIP_PROCESSED } from '@milepost/domain/vocabulary';
import type { AuditedField } from '../engine/index.ts';
import { DATE_OF_TRIP, readableJson, TRIPS_THAT_EXIST } from '../log/audit.ts';

/** The summary fields computed by the audit. */
const OF_SUMMARY = ['trip_count', ...DRIVING_FIELDS];
export const SUMMARY_FIELDS = [...OF_SUMMARY, ...EVENT_SUMMARY_FIELDS];

/** Sums are capped at this value, because a sum of large doubles can exceed it, and JSON cannot express infinity. */
const MAX_DOUBLE = '1.7976931348623157e308';

/** Each driver's days, with the exact sums of the trips on each day. */
export const DRIVEN_DAYS = `
  SELECT trip.fleet_id, trip.driver_id, ${DATE_OF_TRIP} AS date, count(*)::numeric AS trip_count,
    ${SUMMED_FIELDS.map((figure) => `sum(trip.${figure}) AS ${figure}`).join(', ')}
  FROM ${TRIPS_THAT_EXIST} GROUP BY 1, 2, 3`;

/**
 * Returns the fields of the sums. `sum` returns the SQL expression for one sum in the log. The stored sums come from the
 * FROM items of `summaryInJson`.
 */
export function sumFields(sum: (figure: string) => string): Record<string, AuditedField> {
  const readFrom =
    (item: string) =>
    (figure: string): [string, AuditedField] => {
      return [figure, [`least(${sum(figure)}, ${MAX_DOUBLE}::numeric)::float8`, `${item}.${figure}`]];
    };
  return Object.fromEntries([...OF_SUMMARY.map(readFrom('summary')), ...EVENT_SUMMARY_FIELDS.map(readFrom('events'))]);
}

/**
 * Returns two FROM items for the JSON in `column`: `summary` (its figures and `others`) and `events` (its
 * `events_summary`).
 */
export function summaryInJson(column: string, others: string): string {
  const columns = (names: readonly string[]) => names.map((name) => `${name} float8`).join(', ');
  return `json_to_record(${readableJson(column)}) AS summary (${others}, ${columns(OF_SUMMARY)}, events_summary json),
      json_to_record(summary.events_summary) AS events (${columns(EVENT_SUMMARY_FIELDS)})`;
}

/**
 * Returns SQL that selects the stored events of the trips that start on the given days, for the driver in the row
 * `wanted` (see `Audit`). The days are passed as an SQL expression.
 */
export function causesOfDays(first: string, last: string): string {
  const start = (date: string) => `extract(epoch FROM ${date})::bigint * 1000`;
  return `SELECT event.position FROM stored_event event
    WHERE event.kind = ${TRIP_PROCESSED} AND event.effective
      AND event.fleet_id = split_part(wanted.key, '/', 1)
      AND event.driver_id = substr(wanted.key, strpos(wanted.key, '/') + 1)
      AND event.trip_start_time >= ${start(first)} AND event.trip_start_time < ${start(`(${last} + 1)`)}`;
}
