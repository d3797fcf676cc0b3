import { TRIP_PROCESSED } from '@milepost/domain/stored-event';

/**
 * SQL for recounting, by the rules for records alone: of each trip the highest revision counts, unless it says that the
 * trip is deleted. What the log's `supersedes` and `effective` say of it, on which the folds rest, is not believed.
 */

/** The trips that exist as of position `$1`, but those whose figures an erasure has taken: `trip`. */
export const TRIPS_THAT_EXIST = `log.stored_event trip
  WHERE trip.kind = ${TRIP_PROCESSED} AND trip.position <= $1 AND trip.erased IS DISTINCT FROM 2 AND NOT EXISTS (
    SELECT FROM log.stored_event newer
    WHERE newer.trip_id = trip.trip_id AND newer.revision > trip.revision AND newer.position <= $1)`;

/** Those of them that are shown: of an erased driver the figures at most are left. */
export const TRIPS_SHOWN = `${TRIPS_THAT_EXIST} AND trip.erased IS NULL`;

/** The UTC date on which `trip` starts. By PostgreSQL's own calendar, as a fault in the arithmetic of the folds is to be found. */
export const DATE_OF_TRIP = `(to_timestamp(trip.trip_start_time / 1000) AT TIME ZONE 'UTC')::date`;

/** The Monday of a date's week, likewise. */
export const mondayOf = (date: string) => `(${date} - (extract(isodow FROM ${date})::integer - 1))`;

/** Key of a row about a trip. */
export const TRIP_KEY = `concat(fleet_id, '/', replace(trip_id::text, '-', ''))`;

/** Stored events about the trip of the row `wanted`, see `Audit`. */
export const BEHIND_TRIP = `SELECT event.position FROM log.stored_event event
  WHERE event.trip_id = substr(wanted.key, strpos(wanted.key, '/') + 1)::uuid`;

/** A column of JSON for `json_to_record`. What is no JSON at all has no fields, or one damaged row would hide the others. */
export function readableJson(column: string): string {
  return `(CASE WHEN ${column} IS JSON OBJECT THEN ${column} ELSE '{}' END)::json`;
}
