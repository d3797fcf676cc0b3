import { DRIVER_PROFILE, TRIP_PROCESSED } from '@milepost/domain/vocabulary';
import { dateOfDayNumber, dayNumberOf, dayOfTime, startOfDayNumber } from '@milepost/postgres/calendar';

/**
 * SQL fragments for a range of positions, after `$1` and up to and including `$2`. The fragments do not read anything
 * after `$2`, so later appends do not change what a fold produces.
 */

/** The UTC date of a trip's start. */
export const DATE_OF_START = dateOfDayNumber(`${dayOfTime('trip_start_time')}::integer`);

/** True if a stored event names a driver. */
export const NAMES_DRIVER = `kind IN (${TRIP_PROCESSED}, ${DRIVER_PROFILE})`;

/**
 * True unless an operator has set `event` aside. A statement reads the list of positions only once, and the list is
 * usually empty. A join would change the statements' plans.
 */
export function isNotSetAside(event: string): string {
  return `${event}.position <> ALL (ARRAY(SELECT position FROM set_aside))`;
}

/**
 * True unless `event` has been set aside or an erasure has removed its figures. Figures that remain after an erasure
 * are summed under the pseudonym.
 */
function hasFigures(event: string): string {
  return `${event}.erased IS DISTINCT FROM 2 AND ${isNotSetAside(event)}`;
}

/**
 * True if `event` is a processed trip that counts in sums at the position `asOf`. This is the case unless a stored
 * event up to `asOf` has superseded the trip, the trip has been set aside, or an erasure has removed its figures.
 */
export function currentTrip(event: string, asOf = '$2'): string {
  return `${event}.kind = ${TRIP_PROCESSED} AND ${event}.effective AND ${hasFigures(event)} AND ${event}.position <= ${asOf} AND NOT EXISTS (
    SELECT FROM stored_event successor WHERE successor.supersedes = ${event}.position AND successor.position <= ${asOf})`;
}

/**
 * The stored events in the range. OFFSET 0 keeps the planner from pushing other conditions down. Otherwise, a planner
 * whose statistics describe a smaller log may also read the whole index of trips by driver.
 */
const STORED_EVENTS = '(SELECT * FROM stored_event WHERE position > $1 AND position <= $2 OFFSET 0)';

/** The range's processed trips that are current at its end, except trips of erased drivers, which are not visible. */
export const NEW_TRIPS = `${STORED_EVENTS} event WHERE event.erased IS NULL AND ${currentTrip('event')}`;

/**
 * The processed trips in the range `$1` to `$2` that count in the sums at position `$3`. Excludes trips that start
 * before the day `$4`, unless `$4` is null. If the ranges together cover the log up to `$3`, they contain each current
 * trip exactly once.
 */
export const COUNTED_TRIPS_OF_CHUNK = `${STORED_EVENTS} event
  WHERE ${currentTrip('event', '$3')}
    AND ($4::date IS NULL OR event.trip_start_time >= ${startOfDayNumber(dayNumberOf('$4::date'))})`;

/** The trips of `COUNTED_TRIPS_OF_CHUNK`, except trips of erased drivers, which are not visible. */
export const TRIPS_OF_CHUNK = `${COUNTED_TRIPS_OF_CHUNK} AND event.erased IS NULL`;

/** The processed trips that a stored event in the range has superseded. Their alias is `old`. */
export const SUPERSEDED_TRIPS = `stored_event successor JOIN stored_event old ON old.position = successor.supersedes
  WHERE successor.position > $1 AND successor.position <= $2 AND old.kind = ${TRIP_PROCESSED}`;

/**
 * The driver and the start time of every trip added or superseded by the range. The range changes the sums for the days
 * of these trips.
 */
export const CHANGED_TRIPS = `
  SELECT fleet_id, driver_id, trip_start_time
  FROM ${STORED_EVENTS} event
  WHERE kind = ${TRIP_PROCESSED} AND effective AND ${hasFigures('event')}
  UNION ALL
  SELECT old.fleet_id, old.driver_id, old.trip_start_time FROM ${SUPERSEDED_TRIPS} AND ${hasFigures('old')}`;
