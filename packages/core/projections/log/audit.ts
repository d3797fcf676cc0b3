import { TRIP_PROCESSED } from '@milepost/domain/vocabulary';

/**
 * SQL that computes the trips only from the rules for records: the highest revision of each trip counts, unless it
 * deletes the trip. Unlike the folds, this SQL does not use the log's `supersedes` and `effective`.
 */

/**
 * True unless an operator has set `event` aside. A stored event that has been set aside still counts as a revision, but
 * its content does not count.
 */
export const isNotSetAside = (event: string) => `${event}.position NOT IN (SELECT position FROM set_aside)`;

/**
 * The trips that exist at position `$1`, as `trip`, except those that have been set aside or whose figures an erasure
 * has removed. Each stored event is compared only with its trip's highest revision. If it were compared with every
 * higher revision, the time would grow with the square of the number of a trip's revisions.
 */
export const TRIPS_THAT_EXIST = `stored_event trip
  WHERE trip.kind = ${TRIP_PROCESSED} AND trip.position <= $1 AND trip.erased IS DISTINCT FROM 2 AND ${isNotSetAside('trip')}
    AND NOT EXISTS (
    SELECT FROM (SELECT trip_id, max(revision) AS revision FROM stored_event WHERE position <= $1 GROUP BY trip_id) newest
    WHERE newest.trip_id = trip.trip_id AND newest.revision > trip.revision)`;

/**
 * The `TRIPS_THAT_EXIST` that are visible. Trips of an erased driver are not visible, even if their figures are kept.
 */
export const TRIPS_SHOWN = `${TRIPS_THAT_EXIST} AND trip.erased IS NULL`;

/**
 * The UTC date on which `trip` starts, computed with PostgreSQL's calendar so that the audit finds faults in the folds'
 * arithmetic.
 */
export const DATE_OF_TRIP = `(to_timestamp(trip.trip_start_time / 1000) AT TIME ZONE 'UTC')::date`;

/** The Monday of a date's week, computed with PostgreSQL's calendar like `DATE_OF_TRIP`. */
export const mondayOf = (date: string) => `(${date} - (extract(isodow FROM ${date})::integer - 1))`;

/** The key of a trip's row. */
export const TRIP_KEY = `concat(fleet_id, '/', replace(trip_id::text, '-', ''))`;

/** Selects the stored events about the trip in the row `wanted` (see `Audit`). */
export const CAUSES_OF_TRIP = `SELECT event.position FROM stored_event event
  WHERE event.trip_id = substr(wanted.key, strpos(wanted.key, '/') + 1)::uuid`;

/**
 * A JSON column for `json_to_record`. Invalid JSON counts as an empty object, because otherwise one damaged row would
 * hide the faults in all other rows.
 */
export function readableJson(column: string): string {
  return `(CASE WHEN ${column} IS JSON OBJECT THEN ${column} ELSE '{}' END)::json`;
}
