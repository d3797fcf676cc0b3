import { dayOfTime, startOfDayNumber } from '@milepost/domain/calendar';
import { DRIVER_ERASED, DRIVER_PROFILE, TRIP_DELETED, TRIP_PROCESSED } from '@milepost/domain/stored-event';
import { SUMMED_FIELDS } from '@milepost/domain/vocabulary';
import { advanceHead, lockHead } from '@milepost/event-log';
import { number, type Pool, present, query, type RowOf, statement, type Transaction, text } from '@milepost/postgres';
import type { ErasedSubject } from '@milepost/projections/engine';
import { encodeTrailPath } from '@milepost/trail-codec';
import { findLettersAbout, type LettersAbout, lockLetters, redactLetters } from './letters.ts';

/** Erasures are a source of their own, whose counts add up as those of all others. Kafka allows no colon in a topic. */
const ERASURE_SOURCE = 'operator:erasures';

/** Trips in force or late: each of the two conditions is that of an index. */
const IS_TRIP = `((event.kind = ${TRIP_PROCESSED} AND event.effective) OR (event.kind = ${TRIP_PROCESSED} AND NOT event.effective))`;
const OF_DRIVER = 'event.fleet_id = $1 AND event.driver_id = $2';
/** A trip belongs to the driver whom its highest revision names. */
const lastDriverOf = (trip: string) => `(SELECT newest.driver_id FROM log.stored_event newest
  WHERE newest.trip_id = ${trip}.trip_id AND newest.kind = ${TRIP_PROCESSED} ORDER BY newest.revision DESC LIMIT 1)`;

/** The pipeline's ids of the driver's trips, by which dead letters about them are known. */
const LIST_SOURCE_TRIP_IDS = statement('list-source-trip-ids-of-driver', { source_trip_id: present(text) })`
  SELECT DISTINCT source_trip_id FROM log.stored_event event
  WHERE ${OF_DRIVER} AND event.source_trip_id IS NOT NULL AND ${IS_TRIP} AND ${lastDriverOf('event')} = $2`;

/** Even a hash of what is gone would let somebody who guesses a name find out whether it was the right one. */
const NO_HASH = `'\\x00000000000000000000000000000000'::bytea`;

const whereFiguresStay = (value: string) => `CASE WHEN $4::smallint = 1 THEN ${value} END`;

/** Of the times, the day stays with the aggregates, which are sums by day. */
const REDACT_OWN = statement('redact-stored-events')`
  UPDATE log.stored_event event SET driver_id = $3, erased = $4::smallint, content_hash = ${NO_HASH}, source_trip_id = NULL,
    tracking_id = NULL, insurance_period = NULL, start_latitude = NULL, start_longitude = NULL, end_latitude = NULL, end_longitude = NULL,
    first_name = NULL, last_name = NULL, email = NULL, alias = NULL, trip_end_time = NULL,
    trip_start_time = ${whereFiguresStay(startOfDayNumber(dayOfTime('trip_start_time')))},
    ${[...SUMMED_FIELDS, 'night_driving_miles'].map((figure) => `${figure} = ${whereFiguresStay(figure)}`).join(', ')}
  WHERE event.fleet_id = $1 AND event.driver_id IN ($2, $3) AND (${IS_TRIP} OR event.kind = ${DRIVER_PROFILE})`;

const REDACT_DELETIONS = statement('redact-deletions')`
  UPDATE log.stored_event deletion SET source_trip_id = NULL, content_hash = ${NO_HASH}, erased = $3::smallint
  FROM (SELECT DISTINCT trip_id FROM log.stored_event event WHERE ${OF_DRIVER} AND ${IS_TRIP}) trip
  WHERE deletion.trip_id = trip.trip_id AND deletion.kind = ${TRIP_DELETED} AND ${lastDriverOf('trip')} = $2`;

/** All at once, since a trip's body has no other mark than its position. */
const REDACT_BODIES = statement('redact-trip-bodies')`
  UPDATE log.trip_body body SET trail_path = $3, trip_events = NULL
  WHERE body.position IN (SELECT position FROM log.stored_event event WHERE ${OF_DRIVER} AND ${IS_TRIP})`;

/** The conditions on kind and effect are those of indexes: without them the whole log would be read. */
const COUNT_WHAT_GOES = statement('count-what-an-erasure-redacts', { trips: number, stored_events: number })`
  WITH own AS (
    SELECT event.kind, event.trip_id FROM log.stored_event event
    WHERE ${OF_DRIVER} AND (${IS_TRIP} OR event.kind = ${DRIVER_PROFILE})),
  trip AS (SELECT DISTINCT trip_id FROM own WHERE kind = ${TRIP_PROCESSED})
  SELECT (SELECT count(*) FROM trip) AS trips,
    (SELECT count(*) FROM own)
      + (SELECT count(*) FROM log.stored_event deletion JOIN trip USING (trip_id)
         WHERE deletion.kind = ${TRIP_DELETED} AND ${lastDriverOf('trip')} = $2) AS stored_events`;

const TAKE_OFFSET = statement('take-erasure-offset', { source_id: number, offset: number })`
  INSERT INTO log.source AS source (topic, partition, next_offset, records_read, records_stored)
  VALUES ('${ERASURE_SOURCE}', 0, 1, 1, 1)
  ON CONFLICT (topic, partition) DO UPDATE SET next_offset = source.next_offset + 1,
    records_read = source.records_read + 1, records_stored = source.records_stored + 1
  RETURNING source_id, next_offset - 1 AS "offset"`;

const INSERT_EVENT = statement('insert-driver-erased')`
  INSERT INTO log.stored_event (position, stored_at, source_offset, revision, source_id, kind, effective,
    content_hash, fleet_id, driver_id, erased)
  VALUES ($1, now(), $2, 1, $3, ${DRIVER_ERASED}, true, '', $4, $5, $6)`;

const INSERT_ERASURE = statement('insert-erasure')`
  INSERT INTO log.erasure (position, fleet_id, driver_hash, keep_aggregates, reason) VALUES ($1, $2, $3, $4, $5)`;

const MARK_HEAD = statement('mark-head-erasures')`UPDATE log.head SET has_erasures = true WHERE NOT has_erasures`;

/** Nobody shall be able to confirm a guess of what the last record said that was read of a source. */
const FORGET_LAST_RECORDS = statement('forget-last-records')`
  UPDATE log.source SET last_hash = NULL WHERE last_hash IS NOT NULL`;

interface ErasedFromLog {
  /** Of the stored event that says so. */
  position: number;
  storedEvents: number;
  deadLetters: number;
}

async function findLetters(
  transaction: Transaction,
  { fleetId, id }: Pick<ErasedSubject, 'fleetId' | 'id'>,
  after: number,
): Promise<LettersAbout> {
  const rows = await transaction.rows(LIST_SOURCE_TRIP_IDS, [fleetId, id]);
  const sourceTripIds = new Set(rows.map((row) => row.source_trip_id));
  return await findLettersAbout(transaction, { fleetId, driverId: id, sourceTripIds }, after);
}

/**
 * Finds the driver's dead letters and locks them, before the lock on the head. Whoever retries a dead letter takes the two
 * locks in this order. And it reads every dead letter of the fleet: under the lock on the head, that would block appends.
 */
export async function holdLetters(
  transaction: Transaction,
  driver: Pick<ErasedSubject, 'fleetId' | 'id'>,
): Promise<LettersAbout> {
  const found = await findLetters(transaction, driver, 0);
  await lockLetters(transaction, [...found.about, ...found.unclear]);
  return found;
}

/** How `log.stored_event.erased` spells whether figures stay. */
const markOf = ({ keepAggregates }: ErasedSubject) => (keepAggregates ? 1 : 2);

/**
 * Takes the person out of every stored event of the driver, and the path and the trip events out of every trip, with the
 * deletions of the trips. Returns how many stored events there were.
 */
async function redactStoredEvents(transaction: Transaction, driver: ErasedSubject): Promise<number> {
  const { fleetId, id, pseudonym } = driver;
  const own = await transaction.execute(REDACT_OWN, [fleetId, id, pseudonym, markOf(driver)]);
  const deletions = await transaction.execute(REDACT_DELETIONS, [fleetId, pseudonym, markOf(driver)]);
  await transaction.execute(REDACT_BODIES, [fleetId, pseudonym, encodeTrailPath([])]);
  return own + deletions;
}

/**
 * Takes the driver out of the log, and appends the stored event that says so. Holds the lock on the head from here to the
 * end of the transaction. Null when the log has nothing about the driver; nothing was changed then.
 *
 * @param transaction in the eraser's role
 * @param hash the driver's hash, by which records are refused from now on
 */
export async function eraseFromLog(
  transaction: Transaction,
  driver: ErasedSubject,
  { hash, reason, held }: { hash: Buffer; reason: string; held: LettersAbout },
): Promise<ErasedFromLog | null> {
  const { fleetId, pseudonym, keepAggregates } = driver;
  const head = await lockHead(transaction);
  const late = await findLetters(transaction, driver, held.last);
  const storedEvents = await redactStoredEvents(transaction, driver);
  if (storedEvents + held.about.length + late.about.length === 0) return null;
  const letters = [held, late].flatMap(({ about, unclear }) => [...about, ...unclear]);
  await redactLetters(transaction, letters);
  const position = head.position + 1;
  const [source] = await transaction.rows(TAKE_OFFSET);
  if (!source) throw new Error('The source of erasures could not be written.');
  const values = [position, source.offset, source.source_id, fleetId, pseudonym, markOf(driver)];
  await transaction.execute(INSERT_EVENT, values);
  await transaction.execute(INSERT_ERASURE, [position, fleetId, hash, keepAggregates, reason]);
  await transaction.execute(MARK_HEAD);
  await transaction.execute(FORGET_LAST_RECORDS);
  await advanceHead(transaction, position);
  return { position, storedEvents, deadLetters: letters.length };
}

/** How many trips and stored events the erasure of a driver would redact as things stand. */
export async function countWhatGoes(
  pool: Pool,
  fleetId: string,
  driverId: string,
): Promise<RowOf<typeof COUNT_WHAT_GOES>> {
  const [counts] = await query(pool, COUNT_WHAT_GOES, [fleetId, driverId]);
  return counts ?? { trips: 0, stored_events: 0 };
}
