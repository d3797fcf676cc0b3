import { dateOfDayNumber, dayNumberOf, dayOfTime, startOfDayNumber } from '@milepost/domain/calendar';
import { DRIVER_PROFILE, TRIP_PROCESSED } from '@milepost/domain/stored-event';

/**
 * SQL fragments over a range of positions, `$1` exclusive to `$2` inclusive. They look at nothing past `$2`, so a fold
 * gives the same rows whatever has been appended since.
 */

/** The UTC date of a trip's start. */
export const DATE_OF_START = dateOfDayNumber(`${dayOfTime('trip_start_time')}::integer`);

/** True where a stored event names a driver. */
export const NAMES_DRIVER = `kind IN (${TRIP_PROCESSED}, ${DRIVER_PROFILE})`;

/** True where an erasure has left at least the figures of `event`, to be summed under the pseudonym. */
function hasFigures(event: string): string {
  return `${event}.erased IS DISTINCT FROM 2`;
}

/**
 * True where `event` is a processed trip that counts in sums: nothing has superseded it as of the position that `asOf`
 * says, nor did an erasure take its figures.
 */
export function currentTrip(event: string, asOf = '$2'): string {
  return `${event}.kind = ${TRIP_PROCESSED} AND ${event}.effective AND ${hasFigures(event)} AND ${event}.position <= ${asOf} AND NOT EXISTS (
    SELECT FROM log.stored_event successor WHERE successor.supersedes = ${event}.position AND successor.position <= ${asOf})`;
}

/**
 * The stored events of the range. OFFSET 0 keeps further conditions apart: with them the planner may read the whole index
 * of all drivers' trips beside that of positions, and does so while its statistics are those of a smaller log.
 */
const STORED_EVENTS = '(SELECT * FROM log.stored_event WHERE position > $1 AND position <= $2 OFFSET 0)';

/** The processed trips of the range that are current at its end and may be shown: none of an erased driver. */
export const NEW_TRIPS = `${STORED_EVENTS} event WHERE event.erased IS NULL AND ${currentTrip('event')}`;

/**
 * The processed trips of the range `$1` to `$2` that count in sums at position `$3`, of the day `$4` and later (null: of
 * all days). Ranges that together cover the log up to `$3` have each of its current trips once.
 */
export const COUNTED_TRIPS_OF_CHUNK = `${STORED_EVENTS} event
  WHERE ${currentTrip('event', '$3')}
    AND ($4::date IS NULL OR event.trip_start_time >= ${startOfDayNumber(dayNumberOf('$4::date'))})`;

/** Those of them that may be shown: none of an erased driver. */
export const TRIPS_OF_CHUNK = `${COUNTED_TRIPS_OF_CHUNK} AND event.erased IS NULL`;

/** The processed trips that a stored event of the range has superseded: `old`. */
export const SUPERSEDED_TRIPS = `log.stored_event successor JOIN log.stored_event old ON old.position = successor.supersedes
  WHERE successor.position > $1 AND successor.position <= $2 AND old.kind = ${TRIP_PROCESSED}`;

/** Where sums have changed: driver and start time of every trip added or superseded in the range. */
export const CHANGED_TRIPS = `
  SELECT fleet_id, driver_id, trip_start_time
  FROM ${STORED_EVENTS} event
  WHERE kind = ${TRIP_PROCESSED} AND effective AND ${hasFigures('event')}
  UNION ALL
  SELECT old.fleet_id, old.driver_id, old.trip_start_time FROM ${SUPERSEDED_TRIPS} AND ${hasFigures('old')}`;
