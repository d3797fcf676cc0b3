import { TRIP_PROCESSED } from '@milepost/domain/stored-event';

/**
 * SQL that computes the trips from the rules for records alone: the highest revision of each trip counts, unless it
 * deletes the trip. It does not use the log's `supersedes` and `effective`, on which the folds depend.
 */

/** Stored events that an operator has set aside count, but their content does not. */
export const isNotSetAside = (event: string) => `${event}.position NOT IN (SELECT position FROM set_aside)`;

/**
 * The trips that exist as of position `$1`, as `trip`, except those that are set aside or whose figures an erasure has
 * removed. Each stored event is compared with one row per trip: a comparison with all newer revisions is quadratic in
 * the revisions of a trip.
 */
export const TRIPS_THAT_EXIST = `stored_event trip
  WHERE trip.kind = ${TRIP_PROCESSED} AND trip.position <= $1 AND trip.erased IS DISTINCT FROM 2 AND ${isNotSetAside('trip')}
    AND NOT EXISTS (
    SELECT FROM (SELECT trip_id, max(revision) AS revision FROM stored_event WHERE position <= $1 GROUP BY trip_id) newest
    WHERE newest.trip_id = trip.trip_id AND newest.revision > trip.revision)`;

/**
 * The trips of `TRIPS_THAT_EXIST` that are visible. Trips of an erased driver are not visible, even if their figures
 * are kept.
 */
export const TRIPS_SHOWN = `${TRIPS_THAT_EXIST} AND trip.erased IS NULL`;

/**
 * The UTC date on which `trip` starts. It uses PostgreSQL's calendar, to find faults in the arithmetic of the folds.
 */
export const DATE_OF_TRIP = `(to_timestamp(trip.trip_start_time / 1000) AT TIME ZONE 'UTC')::date`;

/** The Monday of a date's week. It uses PostgreSQL's calendar for the same reason. */
export const mondayOf = (date: string) => `(${date} - (extract(isodow FROM ${date})::integer - 1))`;

/** Key of a row about a trip. */
export const TRIP_KEY = `concat(fleet_id, '/', replace(trip_id::text, '-', ''))`;

/** Stored events about the trip of the row `wanted` (`Audit`). */
export const CAUSES_OF_TRIP = `SELECT event.position FROM stored_event event
  WHERE event.trip_id = substr(wanted.key, strpos(wanted.key, '/') + 1)::uuid`;

/**
 * A JSON column for `json_to_record`. Invalid JSON is treated as an empty object; otherwise one damaged row would hide
 * the others.
 */
export function readableJson(column: string): string {
  return `(CASE WHEN ${column} IS JSON OBJECT THEN ${column} ELSE '{}' END)::json`;
}
