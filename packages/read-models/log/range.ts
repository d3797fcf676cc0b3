/**
 * SQL fragments over a range of positions, `$1` exclusive to `$2` inclusive. They look at nothing past `$2`, so a fold
 * gives the same rows whatever has been appended since.
 */

/** True where `event` is a processed trip that nothing has superseded as of `$2`. */
export function currentTrip(event: string): string {
  return `${event}.kind = 1 AND ${event}.effective AND ${event}.position <= $2 AND NOT EXISTS (
    SELECT FROM log.stored_event successor WHERE successor.supersedes = ${event}.position AND successor.position <= $2)`;
}

/** The processed trips of the range that are current at its end. */
export const NEW_TRIPS = `log.stored_event event WHERE event.position > $1 AND ${currentTrip('event')}`;

/** The processed trips that a stored event of the range has superseded: `old`. */
export const SUPERSEDED_TRIPS = `log.stored_event successor JOIN log.stored_event old ON old.position = successor.supersedes
  WHERE successor.position > $1 AND successor.position <= $2 AND old.kind = 1`;

/** Where trips have come or gone: driver, start time and position of every trip added or superseded in the range. */
export const CHANGED_TRIPS = `
  SELECT fleet_id, driver_id, trip_start_time, position FROM log.stored_event
  WHERE position > $1 AND position <= $2 AND kind = 1 AND effective
  UNION ALL
  SELECT old.fleet_id, old.driver_id, old.trip_start_time, old.position FROM ${SUPERSEDED_TRIPS}`;
