import type { Statement, Transaction } from '@milepost/postgres';
import { type ErasedDriver, erasedMark } from '../erased-driver.ts';

/** Whether it is a profile or a trip, in force or late: each of these conditions is that of an index. */
const OF_DRIVER = `event.fleet_id = $1 AND event.driver_id IN ($2, $3)
  AND ((event.kind = 1 AND event.effective) OR (event.kind = 1 AND NOT event.effective) OR event.kind = 3)`;

/** Even a hash of what is gone would let somebody who guesses a name find out whether it was the right one. */
const NO_HASH = `'\\x00000000000000000000000000000000'::bytea`;

/** What sums are made of. */
const FIGURES = [
  'duration_seconds',
  'distance_miles',
  'night_driving_seconds',
  'highway_miles',
  'night_driving_miles',
  'phone_use_count',
  'rapid_acceleration_count',
  'hard_brake_count',
  'overspeeding_count',
  'phone_use_time_seconds',
  'overspeeding_time_seconds',
];

/** Of the times, the day stays with the aggregates, which are sums by day. */
const REDACT_OWN: Statement = {
  name: 'redact-stored-events',
  text: `UPDATE log.stored_event event SET driver_id = $3, erased = $4::smallint, content_hash = ${NO_HASH}, source_trip_id = NULL,
           tracking_id = NULL, insurance_period = NULL, start_latitude = NULL, start_longitude = NULL, end_latitude = NULL, end_longitude = NULL,
           first_name = NULL, last_name = NULL, email = NULL, alias = NULL, trip_end_time = NULL,
           trip_start_time = CASE WHEN $4::smallint = 1 THEN trip_start_time - trip_start_time % 86400000 END,
           ${FIGURES.map((figure) => `${figure} = CASE WHEN $4::smallint = 1 THEN ${figure} END`).join(', ')}
         WHERE ${OF_DRIVER}`,
};

/** A trip belongs to the driver whom its highest revision names. */
const REDACT_DELETIONS: Statement = {
  name: 'redact-deletions',
  text: `UPDATE log.stored_event deletion SET source_trip_id = NULL, content_hash = ${NO_HASH}, erased = $3::smallint
         FROM (SELECT DISTINCT trip_id FROM log.stored_event event
           WHERE event.fleet_id = $1 AND event.driver_id = $2
             AND ((event.kind = 1 AND event.effective) OR (event.kind = 1 AND NOT event.effective))) trip
         WHERE deletion.trip_id = trip.trip_id AND deletion.kind = 2
           AND (SELECT newest.driver_id FROM log.stored_event newest
             WHERE newest.trip_id = trip.trip_id AND newest.kind = 1 ORDER BY newest.revision DESC LIMIT 1) = $2`,
};

/** The lot at once, since a trip's body has no other mark than its position. */
const REDACT_BODIES: Statement = {
  name: 'redact-trip-bodies',
  text: `UPDATE log.trip_body body SET trail_path = $3, trip_events = NULL
         WHERE body.position IN (SELECT position FROM log.stored_event event
           WHERE event.fleet_id = $1 AND event.driver_id = $2
             AND ((event.kind = 1 AND event.effective) OR (event.kind = 1 AND NOT event.effective)))`,
};

/**
 * Takes the person out of every stored event of the driver, and the path and the trip events out of every trip, with the
 * deletions of the trips.
 *
 * @param emptyTrail the codec's bytes of a path without points
 * @returns how many stored events there were
 */
export async function redactStoredEvents(
  transaction: Transaction,
  driver: ErasedDriver,
  emptyTrail: Uint8Array,
): Promise<number> {
  const { fleetId, driverId, pseudonym } = driver;
  const mark = erasedMark(driver);
  const own = await transaction.execute(REDACT_OWN, [fleetId, driverId, pseudonym, mark]);
  const deletions = await transaction.execute(REDACT_DELETIONS, [fleetId, pseudonym, mark]);
  await transaction.execute(REDACT_BODIES, [fleetId, pseudonym, emptyTrail]);
  return own + deletions;
}
