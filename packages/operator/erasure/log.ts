import { ERASURE_SOURCE } from '@milepost/domain/ids';
import {
  DRIVER_ERASED,
  DRIVER_PROFILE,
  SUMMED_FIELDS,
  TRIP_DELETED,
  TRIP_PROCESSED,
} from '@milepost/domain/vocabulary';
import { advanceHead, lockHead } from '@milepost/event-log/head';
import { tripNameHash } from '@milepost/event-log/names';
import { inTransaction, type Pool, query, queryRow, type RowOf, statement, type Transaction } from '@milepost/postgres';
import { dayOfTime, startOfDayNumber } from '@milepost/postgres/calendar';
import type { ErasedSubject } from '@milepost/projections/engine';
import { encodeTrailPath } from '@milepost/trail-codec';
import { type DeadLettersAbout, findDeadLettersAbout, LOCK_DEAD_LETTERS, redactDeadLetters } from './letters.ts';

/** SQL that is true for trips, whether effective or not. Each of the two conditions matches an index. */
const IS_TRIP = `((event.kind = ${TRIP_PROCESSED} AND event.effective) OR (event.kind = ${TRIP_PROCESSED} AND NOT event.effective))`;
const OF_DRIVER = 'event.fleet_id = $1 AND event.driver_id = $2';
/** A trip belongs to the driver of its highest revision. */
const lastDriverOf = (trip: string) => `(SELECT newest.driver_id FROM stored_event newest
  WHERE newest.trip_id = ${trip}.trip_id AND newest.kind = ${TRIP_PROCESSED} ORDER BY newest.revision DESC LIMIT 1)`;

const LIST_TRIPS = statement('list-trips-of-driver', { trip_id: 'text!', source_trip_id: 'text!' })`
  SELECT DISTINCT trip_id::text AS trip_id, source_trip_id FROM stored_event event
  WHERE ${OF_DRIVER} AND event.source_trip_id IS NOT NULL AND ${IS_TRIP} AND ${lastDriverOf('event')} = $2`;

/** An erased driver's trip. */
export type ErasedTrip = RowOf<typeof LIST_ERASED_TRIPS>;

const LIST_ERASED_TRIPS = statement('list-trips-of-erased-driver', {
  trip_id: 'text!',
  /** The hash by which dead letters about the trip are found. */
  name: 'text?',
})`
  SELECT DISTINCT event.trip_id::text AS trip_id, erased.name::text AS name
  FROM stored_event event LEFT JOIN erased_trip erased USING (trip_id)
  WHERE ${OF_DRIVER} AND ${IS_TRIP} AND ${lastDriverOf('event')} = $2`;

const INSERT_ERASED_TRIPS = statement('insert-erased-trips')`
  INSERT INTO erased_trip (trip_id, name) SELECT * FROM unnest($1::uuid[], $2::bigint[]) ON CONFLICT DO NOTHING`;

const LIST_REVISIONS = statement('list-revisions-of-driver', { trip_id: 'text!', revision: 'number' })`
  SELECT trip_id::text AS trip_id, revision FROM stored_event event WHERE ${OF_DRIVER} AND ${IS_TRIP}`;

const FIND_DRIVER = statement('find-driver-of-revisions', { driver_id: 'text!' })`
  SELECT event.driver_id FROM unnest($1::uuid[], $2::bigint[]) AS known (trip_id, revision)
  JOIN stored_event event USING (trip_id, revision) LIMIT 1`;

/** Replaces the hash of erased content, because a reader could use that hash to check a guessed name. */
const NO_HASH = `'\\x00000000000000000000000000000000'::bytea`;

const ifFiguresAreKept = (value: string) => `CASE WHEN $4::smallint = 1 THEN ${value} END`;

/** The times are reduced to the day, because the kept aggregates are sums by day. */
const REDACT_OWN = statement('redact-stored-events')`
  UPDATE stored_event event SET driver_id = $3, erased = $4::smallint, content_hash = ${NO_HASH}, traceparent = NULL,
    source_trip_id = NULL, tracking_id = NULL, insurance_period = NULL, start_latitude = NULL, start_longitude = NULL, end_latitude = NULL, end_longitude = NULL,
    first_name = NULL, last_name = NULL, email = NULL, alias = NULL, trip_end_time = NULL,
    trip_start_time = ${ifFiguresAreKept(startOfDayNumber(dayOfTime('trip_start_time')))},
    ${[...SUMMED_FIELDS, 'night_driving_miles'].map((figure) => `${figure} = ${ifFiguresAreKept(figure)}`).join(', ')}
  WHERE event.fleet_id = $1 AND event.driver_id IN ($2, $3) AND (${IS_TRIP} OR event.kind = ${DRIVER_PROFILE})`;

const REDACT_DELETIONS = statement('redact-deletions')`
  UPDATE stored_event deletion SET source_trip_id = NULL, traceparent = NULL, content_hash = ${NO_HASH}, erased = $3::smallint
  FROM (SELECT DISTINCT trip_id FROM stored_event event WHERE ${OF_DRIVER} AND ${IS_TRIP}) trip
  WHERE deletion.trip_id = trip.trip_id AND deletion.kind = ${TRIP_DELETED} AND ${lastDriverOf('trip')} = $2`;

/**
 * Redacts the bodies of all the driver's trips in one statement, because only the position links a body to its trip.
 */
const REDACT_BODIES = statement('redact-trip-bodies')`
  UPDATE trip_body body SET trail_path = $3, trip_events = NULL
  WHERE body.position IN (SELECT position FROM stored_event event WHERE ${OF_DRIVER} AND ${IS_TRIP})`;

/** The conditions on `kind` and `effective` match indexes. Without them, the statement would read the whole log. */
const COUNT_REDACTIONS = statement('count-what-an-erasure-redacts', { trips: 'number', stored_events: 'number' })`
  WITH own AS (
    SELECT event.kind, event.trip_id FROM stored_event event
    WHERE ${OF_DRIVER} AND (${IS_TRIP} OR event.kind = ${DRIVER_PROFILE})),
  trip AS (SELECT DISTINCT trip_id FROM own WHERE kind = ${TRIP_PROCESSED})
  SELECT (SELECT count(*) FROM trip) AS trips,
    (SELECT count(*) FROM own)
      + (SELECT count(*) FROM stored_event deletion JOIN trip USING (trip_id)
         WHERE deletion.kind = ${TRIP_DELETED} AND ${lastDriverOf('trip')} = $2) AS stored_events`;

const ADVANCE_ERASURE_OFFSET = statement('advance-erasure-offset', { source_id: 'number', offset: 'number' })`
  INSERT INTO log_source AS source (topic, partition, next_offset, records_read, records_stored)
  VALUES ('${ERASURE_SOURCE}', 0, 1, 1, 1)
  ON CONFLICT (topic, partition) DO UPDATE SET next_offset = source.next_offset + 1,
    records_read = source.records_read + 1, records_stored = source.records_stored + 1
  RETURNING source_id, next_offset - 1 AS "offset"`;

const INSERT_EVENT = statement('insert-driver-erased')`
  INSERT INTO stored_event (position, stored_at, source_offset, revision, source_id, kind, effective,
    content_hash, fleet_id, driver_id, erased)
  VALUES ($1, now(), $2, 1, $3, ${DRIVER_ERASED}, true, '', $4, $5, $6)`;

const INSERT_ERASURE = statement('insert-erasure')`
  INSERT INTO erasure (position, fleet_id, driver_hash, keep_aggregates, reason) VALUES ($1, $2, $3, $4, $5)`;

const MARK_HEAD = statement('mark-head-erasures')`UPDATE log_head SET has_erasures = true WHERE NOT has_erasures`;

/** With the hash of a source's last record, a reader could check a guess about the record's content. */
const CLEAR_LAST_RECORDS = statement('clear-last-records')`
  UPDATE log_source SET last_hash = NULL WHERE last_hash IS NOT NULL`;

/** Lists an erased driver's trips. `pool` acts as the eraser role. */
export async function listErasedTrips(pool: Pool, fleetId: string, pseudonym: string): Promise<ErasedTrip[]> {
  return await query(pool, LIST_ERASED_TRIPS, [fleetId, pseudonym]);
}

/**
 * Returns a driver's id in another lane's copy of a fleet. The ids differ, because each lane gives erased drivers its
 * own pseudonyms. The driver is found through the trips, whose revisions are the same in both lanes. Returns the
 * pseudonym unchanged if the copy contains no trip by the driver.
 *
 * @param from connections, made as the eraser role, to the lane that uses this pseudonym
 * @param to connections to the lane with the copy
 */
export async function findInCopy(from: Pool, to: Pool, fleetId: string, pseudonym: string): Promise<string> {
  const revisions = await query(from, LIST_REVISIONS, [fleetId, pseudonym]);
  const values = [revisions.map(({ trip_id }) => trip_id), revisions.map(({ revision }) => revision)];
  const [found] = await query(to, FIND_DRIVER, values);
  return found?.driver_id ?? pseudonym;
}

/** The driver, and the trips that another lane attributes to the driver. */
type Wanted = Pick<ErasedSubject, 'fleetId' | 'id'> & { trips: readonly ErasedTrip[] };

/** Lists the trips that this log or another lane attributes to the driver. */
async function listTrips(transaction: Transaction, { fleetId, id, trips }: Wanted): Promise<ErasedTrip[]> {
  const own = await transaction.rows(LIST_TRIPS, [fleetId, id]);
  return [...own.map(({ trip_id, source_trip_id }) => ({ trip_id, name: tripNameHash(source_trip_id) })), ...trips];
}

/**
 * Finds the driver's dead letters and locks them. Call this before locking the head, because a retry also locks dead
 * letters before the head.
 */
export async function lockDeadLettersAbout(transaction: Transaction, driver: Wanted): Promise<DeadLettersAbout> {
  const trips = await listTrips(transaction, driver);
  const found = await findDeadLettersAbout(transaction, { ...driver, trips }, 0);
  await transaction.execute(LOCK_DEAD_LETTERS, [[...found.about, ...found.unclear]]);
  return found;
}

/** Returns the value of `stored_event.erased` that encodes whether the figures are kept. */
const erasedValueOf = ({ keepAggregates }: ErasedSubject) => (keepAggregates ? 1 : 2);

/**
 * Removes the personal data from every stored event about the driver, including the path and the trip events of each
 * trip. Also redacts the deletions of the trips. Returns the number of stored events.
 */
async function redactStoredEvents(transaction: Transaction, driver: ErasedSubject): Promise<number> {
  const { fleetId, id, pseudonym } = driver;
  const own = await transaction.execute(REDACT_OWN, [fleetId, id, pseudonym, erasedValueOf(driver)]);
  const deletions = await transaction.execute(REDACT_DELETIONS, [fleetId, pseudonym, erasedValueOf(driver)]);
  await transaction.execute(REDACT_BODIES, [fleetId, pseudonym, encodeTrailPath([])]);
  return own + deletions;
}

interface ErasureOfLog {
  /** The driver's hash, which is used to refuse later records about the driver. */
  hash: Buffer;
  reason: string;
  /** The dead letters about the driver, which are already locked. */
  locked: DeadLettersAbout;
  /** The trips that another lane attributes to the driver. */
  trips: readonly ErasedTrip[];
  /** Whether to record the erasure even if the log has no data about the driver. */
  isKnown: boolean;
}

/**
 * Erases the driver from the log and appends the erasure's stored event, whose position it returns. Keeps the head
 * locked until the transaction ends. Returns null and changes nothing when the log has no data about the driver.
 *
 * @param transaction a transaction that acts as the eraser role
 */
export async function eraseFromLog(
  transaction: Transaction,
  driver: ErasedSubject,
  { hash, reason, locked, trips, isKnown }: ErasureOfLog,
) {
  const { fleetId, pseudonym, keepAggregates } = driver;
  const head = await lockHead(transaction);
  const known = await listTrips(transaction, { ...driver, trips });
  const late = await findDeadLettersAbout(transaction, { ...driver, trips: known }, locked.last);
  const storedEvents = await redactStoredEvents(transaction, driver);
  if (!isKnown && storedEvents + locked.about.length + late.about.length === 0) return null;
  const deadLetters = [locked, late].flatMap(({ about, unclear }) => [...about, ...unclear]);
  await redactDeadLetters(transaction, deadLetters);
  const position = head.position + 1;
  const { source_id, offset } = await transaction.row(ADVANCE_ERASURE_OFFSET);
  const values = [position, offset, source_id, fleetId, pseudonym, erasedValueOf(driver)];
  await transaction.execute(INSERT_EVENT, values);
  await transaction.execute(INSERT_ERASURE, [position, fleetId, hash, keepAggregates, reason]);
  await transaction.execute(INSERT_ERASED_TRIPS, [known.map(({ trip_id }) => trip_id), known.map(({ name }) => name)]);
  await transaction.execute(MARK_HEAD);
  await transaction.execute(CLEAR_LAST_RECORDS);
  await advanceHead(transaction, position);
  return { position, stored_events: storedEvents, dead_letters: deadLetters.length };
}

/** Whether any dead letter in a lane is about a driver. `pool` acts as the eraser role. */
export async function isNamedInLetters(pool: Pool, fleetId: string, driverId: string): Promise<boolean> {
  return await inTransaction(pool, async (transaction) => {
    return (await findDeadLettersAbout(transaction, { fleetId, id: driverId, trips: [] }, 0)).about.length > 0;
  });
}

/** Counts the trips and stored events that would be redacted if a driver were erased now. */
export async function previewErasure(
  pool: Pool,
  fleetId: string,
  driverId: string,
): Promise<RowOf<typeof COUNT_REDACTIONS>> {
  return await queryRow(pool, COUNT_REDACTIONS, [fleetId, driverId]);
}
