import { DRIVER_PROFILE, TRIP_PROCESSED } from '@milepost/domain/stored-event';
import { dateOfDayNumber, dayNumberOf, dayOfTime, startOfDayNumber } from '@milepost/postgres';

/**
 * SQL fragments over a range of positions, after `$1` and up to `$2` inclusive. They read nothing after `$2`, so later
 * appends do not change the rows of a fold.
 */

/** The UTC date of a trip's start. */
export const DATE_OF_START = dateOfDayNumber(`${dayOfTime('trip_start_time')}::integer`);

/** True where a stored event names a driver. */
export const NAMES_DRIVER = `kind IN (${TRIP_PROCESSED}, ${DRIVER_PROFILE})`;

/**
 * True unless an operator has set `event` aside. A statement reads the list of positions once; usually it is empty. A
 * join would change the plans of the statements.
 */
export function isNotSetAside(event: string): string {
  return `${event}.position <> ALL (ARRAY(SELECT position FROM set_aside))`;
}

/**
 * True unless `event` is set aside, or an erasure has removed its figures. Figures that an erasure kept are summed under
 * the pseudonym.
 */
function hasFigures(event: string): string {
  return `${event}.erased IS DISTINCT FROM 2 AND ${isNotSetAside(event)}`;
}

/**
 * True where `event` is a processed trip that counts in sums. At the position `asOf`, no stored event has superseded
 * it, it is not set aside, and no erasure has removed its figures.
 */
export function currentTrip(event: string, asOf = '$2'): string {
  return `${event}.kind = ${TRIP_PROCESSED} AND ${event}.effective AND ${hasFigures(event)} AND ${event}.position <= ${asOf} AND NOT EXISTS (
    SELECT FROM stored_event successor WHERE successor.supersedes = ${event}.position AND successor.position <= ${asOf})`;
}

/**
 * The stored events of the range. OFFSET 0 prevents the planner from pushing further conditions down. Otherwise the
 * planner may also read the whole index of trips by driver, as it does while its statistics describe a smaller log.
 */
const STORED_EVENTS = '(SELECT * FROM stored_event WHERE position > $1 AND position <= $2 OFFSET 0)';

/**
 * The processed trips of the range that are current at its end and visible. Trips of an erased driver are not visible.
 */
export const NEW_TRIPS = `${STORED_EVENTS} event WHERE event.erased IS NULL AND ${currentTrip('event')}`;

/**
 * The processed trips of the range `$1` to `$2` that count in sums at position `$3`, from the day `$4` on (all days if
 * `$4` is null). Ranges that together cover the log up to `$3` contain each of its current trips once.
 */
export const COUNTED_TRIPS_OF_CHUNK = `${STORED_EVENTS} event
  WHERE ${currentTrip('event', '$3')}
    AND ($4::date IS NULL OR event.trip_start_time >= ${startOfDayNumber(dayNumberOf('$4::date'))})`;

/** The trips of `COUNTED_TRIPS_OF_CHUNK` that are visible. Trips of an erased driver are not visible. */
export const TRIPS_OF_CHUNK = `${COUNTED_TRIPS_OF_CHUNK} AND event.erased IS NULL`;

/** The processed trips that a stored event of the range has superseded: `old`. */
export const SUPERSEDED_TRIPS = `stored_event successor JOIN stored_event old ON old.position = successor.supersedes
  WHERE successor.position > $1 AND successor.position <= $2 AND old.kind = ${TRIP_PROCESSED}`;

/**
 * The driver and the start time of every trip that the range adds or supersedes. They determine the days whose sums
 * change.
 */
export const CHANGED_TRIPS = `
  SELECT fleet_id, driver_id, trip_start_time
  FROM ${STORED_EVENTS} event
  WHERE kind = ${TRIP_PROCESSED} AND effective AND ${hasFigures('event')}
  UNION ALL
  SELECT old.fleet_id, old.driver_id, old.trip_start_time FROM ${SUPERSEDED_TRIPS} AND ${hasFigures('old')}`;
