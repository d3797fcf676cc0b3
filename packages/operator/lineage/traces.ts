import { dateOf, isCalendarDate, MILLISECONDS_PER_DAY, startOfDay } from '@milepost/domain/calendar';
import { STORED_EVENT_KINDS, TRIP_DELETED } from '@milepost/domain/vocabulary';
import { inSnapshot, type Pool, statement, type Transaction } from '@milepost/postgres';
import { findDeadLettersAbout, type Subject } from './dead-letters.ts';
import {
  DRIVER_DAY_CHAINS,
  DRIVER_KNOWN,
  DUPLICATES,
  PROFILE_CHAIN,
  type StoredEventRow,
  TRIP_CHAIN,
} from './statements.ts';

/** This is far more than the number of stored events for any trip or day in valid data. */
const MAX_EVENTS = 5_000;

const MAX_DUPLICATES = 1_000;

const ANSWER_POSITION = statement('lineage-answer-position', { position: 'number' })`
  SELECT coalesce(min(checkpoint), 0) AS position FROM generation WHERE live`;

const KIND_NAMES = new Map<number, string>(Object.entries(STORED_EVENT_KINDS).map(([name, kind]) => [kind, name]));

/**
 * Returns `current` if the read tables use the event, and `set_aside` if they ignore it only because it is set aside.
 * Returns `without_effect` if the log already had a newer revision.
 */
function stateOf(row: StoredEventRow): 'current' | 'set_aside' | 'superseded' | 'without_effect' {
  const { kind, effective, superseded_by, set_aside } = row;
  if (!effective) return 'without_effect';
  if (superseded_by !== null) return 'superseded';
  // A deletion remains in effect.
  return set_aside === null || kind === TRIP_DELETED ? 'current' : 'set_aside';
}

function toTracedEvent(row: StoredEventRow) {
  return { ...row, kind: KIND_NAMES.get(row.kind) ?? String(row.kind), state: stateOf(row) };
}

/** Adds a field that says whether the row is one of the driver's current trips on the UTC day. */
function toCountedEvent(row: StoredEventRow, driverId: string, date: string) {
  const event = toTracedEvent(row);
  const counted =
    event.kind === 'trip.processed' &&
    event.state === 'current' &&
    row.driver_id === driverId &&
    row.trip_start_time !== null &&
    dateOf(row.trip_start_time) === date;
  return { ...event, counted };
}

/**
 * Reads the fields that all traces share.
 *
 * @param positions the stored events whose duplicates are read
 * @param incomplete whether lists have exceeded their limits, by the names of the lists
 */
async function readOthers(
  transaction: Transaction,
  subject: Subject,
  positions: readonly number[],
  { dead_letters: isSearchIncomplete = false, ...incomplete }: Readonly<Record<string, boolean>>,
) {
  const { position: answer_position } = await transaction.row(ANSWER_POSITION);
  const duplicates = await transaction.rows(DUPLICATES, [positions, MAX_DUPLICATES + 1]);
  const { deadLetters, complete } = await findDeadLettersAbout(transaction, subject);
  return {
    answer_position,
    duplicates: duplicates.slice(0, MAX_DUPLICATES).reverse(),
    dead_letters: deadLetters,
    incomplete: Object.entries({
      ...incomplete,
      duplicates: duplicates.length > MAX_DUPLICATES,
      dead_letters: isSearchIncomplete || !complete,
    }).flatMap(([list, isIncomplete]) => (isIncomplete ? [list] : [])),
  };
}

/**
 * Traces a trip back to its records. Returns every stored event of the trip, with its source, duplicates and dead
 * letters.
 *
 * @param pool connections made as the operator role
 * @param tripId 32 hex digits
 * @returns null when the log has no stored event of this trip
 */
export async function traceTrip(pool: Pool, tripId: string) {
  // Without a snapshot, a chain could lack the event that superseded its last event.
  return await inSnapshot(pool, async (transaction) => {
    const rows = await transaction.rows(TRIP_CHAIN, [tripId, MAX_EVENTS + 1]);
    const stored_events = rows.slice(0, MAX_EVENTS).reverse().map(toTracedEvent);
    const [first] = stored_events;
    if (!first) return null;
    const { fleet_id, source_trip_id } = first;
    const current = stored_events.find((event) => event.state === 'current');
    const sourceTripIds = new Set(source_trip_id === null ? [] : [source_trip_id]);
    const positions = stored_events.map(({ position }) => position);
    const subject = { fleetId: fleet_id, sourceTripIds, driverDay: null };
    const incomplete = { stored_events: rows.length > MAX_EVENTS };
    const { answer_position, ...others } = await readOthers(transaction, subject, positions, incomplete);
    return {
      trip_id: tripId,
      fleet_id,
      source_trip_id,
      current_position: current?.position ?? null,
      deleted: current?.kind === 'trip.deleted',
      answer_position,
      stored_events,
      ...others,
    };
  });
}

/** The maximum number of trips whose ids are searched for in dead letters. Each trip makes the search slower. */
const MAX_SEARCHED_TRIPS = 50;

/**
 * Traces a driver's daily summary back to its records, even if the driver has only dead letters.
 *
 * @param pool connections made as the operator role
 * @param date a day in UTC, `YYYY-MM-DD`
 * @returns null when neither the log nor a dead letter names the driver
 * @throws RangeError when the date is not a calendar day
 */
export async function traceDriverDay(pool: Pool, fleetId: string, driverId: string, date: string) {
  if (!isCalendarDate(date)) throw new RangeError(`${date} is not a calendar day.`);
  return await inSnapshot(pool, async (transaction) => {
    const from = startOfDay(date);
    const ofDay = [fleetId, driverId, from, from + MILLISECONDS_PER_DAY, MAX_EVENTS + 1];
    const rows = await transaction.rows(DRIVER_DAY_CHAINS, ofDay);
    const stored_events = rows.slice(0, MAX_EVENTS).map((row) => toCountedEvent(row, driverId, date));
    const ofProfile = [fleetId, driverId, MAX_EVENTS + 1];
    const profileRows = await transaction.rows(PROFILE_CHAIN, ofProfile);
    const profile_events = profileRows
      .sort((left, right) => left.position - right.position)
      .slice(-MAX_EVENTS)
      .map(toTracedEvent);
    const positions = [...stored_events, ...profile_events].map(({ position }) => position);
    const sourceTripIds = [...new Set(stored_events.flatMap((event) => event.source_trip_id ?? []))];
    const searched = new Set(sourceTripIds.slice(0, MAX_SEARCHED_TRIPS));
    const subject = { fleetId, sourceTripIds: searched, driverDay: { driverId, date } };
    const { answer_position, ...others } = await readOthers(transaction, subject, positions, {
      stored_events: rows.length > MAX_EVENTS,
      profile_events: profileRows.length > MAX_EVENTS,
      dead_letters: sourceTripIds.length > MAX_SEARCHED_TRIPS,
    });
    if (positions.length === 0 && others.dead_letters.length === 0) {
      if (!(await transaction.row(DRIVER_KNOWN, [fleetId, driverId])).known) return null;
    }
    return {
      fleet_id: fleetId,
      driver_id: driverId,
      date,
      trip_count: stored_events.filter((event) => event.counted).length,
      answer_position,
      stored_events,
      profile_events,
      ...others,
    };
  });
}
