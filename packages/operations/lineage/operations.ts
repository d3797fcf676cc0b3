import { dateOf, isCalendarDate, MILLISECONDS_PER_DAY, startOfDay } from '@milepost/domain/calendar';
import { STORED_EVENT_KINDS } from '@milepost/domain/stored-event';
import { inTransaction, number, type Pool, ROLES, statement, type Transaction } from '@milepost/postgres';
import Type, { type Static } from 'typebox';
import { operation } from '../operation.ts';
import { Refusal } from '../refusal.ts';
import { Day, driver, isText, nullable } from '../schemas.ts';
import { findDeadLettersAbout, type Subject } from './dead-letters.ts';
import { CountedEvent, StoredEvent, type TracedEvent, traceFields } from './schemas.ts';
import {
  DRIVER_DAY_CHAINS,
  DRIVER_KNOWN,
  DUPLICATES,
  PROFILE_CHAIN,
  type StoredEventRow,
  TRIP_CHAIN,
} from './statements.ts';

/** Most stored events that a trace shows; no trip or day of sound data comes near. */
const LIMIT_EVENTS = 5_000;

/** Most duplicates that a trace shows. */
const LIMIT_DUPLICATES = 1_000;

const ANSWER_POSITION = statement('lineage-answer-position', { position: number })`
  SELECT coalesce(min(checkpoint), 0) AS position FROM projection.generation WHERE live`;

/**
 * Runs reading work on one snapshot of the database: otherwise a chain could end before what superseded its last link.
 *
 * @param work gets the position that answers show: what is stored after it shows in none of them yet
 */
async function onSnapshot<Result>(
  pool: Pool,
  work: (transaction: Transaction, answerPosition: number) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(pool, async (transaction) => {
    await transaction.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const [row] = await transaction.rows(ANSWER_POSITION);
    return await work(transaction, row?.position ?? 0);
  });
}

const KIND_NAMES = new Map<number, string>(Object.entries(STORED_EVENT_KINDS).map(([name, kind]) => [kind, name]));

function stateOf({ effective, superseded_by }: StoredEventRow): TracedEvent['state'] {
  if (!effective) return 'without_effect';
  return superseded_by === null ? 'current' : 'superseded';
}

/** Puts the kind's name and the state on a row. */
function toTracedEvent(row: StoredEventRow): TracedEvent {
  return { ...row, kind: KIND_NAMES.get(row.kind) ?? String(row.kind), state: stateOf(row) };
}

/** Says of a row whether it is one of the trips that make up the driver's UTC day. */
function toCountedEvent(row: StoredEventRow, driverId: string, date: string): Static<typeof CountedEvent> {
  const event = toTracedEvent(row);
  const counted =
    event.kind === 'trip.processed' &&
    event.state === 'current' &&
    row.driver_id === driverId &&
    row.trip_start_time !== null &&
    dateOf(row.trip_start_time) === date;
  return { ...event, counted };
}

interface Traced {
  subject: Subject;
  /** Whose duplicates are sought. */
  positions: readonly number[];
  /** The lists that were cut off already. */
  cut: readonly string[];
}

/** What every trace tells beside its stored events: what came again, and what was refused. */
async function readOthers(transaction: Transaction, { subject, positions, cut }: Traced) {
  const duplicates = await transaction.rows(DUPLICATES, [positions, LIMIT_DUPLICATES + 1]);
  const { letters, complete } = await findDeadLettersAbout(transaction, subject);
  return {
    duplicates: duplicates.slice(0, LIMIT_DUPLICATES).reverse(),
    dead_letters: letters,
    incomplete: [
      ...cut,
      ...(duplicates.length > LIMIT_DUPLICATES ? ['duplicates'] : []),
      ...(complete ? [] : ['dead_letters']),
    ],
  };
}

const TRIP_ID = /^[0-9a-f]{32}$/;

const TripTrace = Type.Object({
  trip_id: Type.String(),
  fleet_id: Type.String(),
  source_trip_id: nullable(Type.String()),
  current_position: nullable(Type.Integer({ description: 'The stored event that answers are made from.' })),
  deleted: Type.Boolean({ description: 'That one is a deletion: no answer has the trip.' }),
  stored_events: Type.Array(StoredEvent, { description: 'All revisions, in the order of the log.' }),
  ...traceFields,
});

function notFound(which: string): Refusal {
  return new Refusal('trip_not_found', `The log has no trip ${which}: answers and the trip list show trip ids.`);
}

/**
 * Traces a trip back to the records behind it.
 *
 * @param pool connections in the operator's role
 * @param tripId 32 hex digits
 * @throws Refusal when the log has no stored event of this trip
 *
 * Exported for tests.
 */
export async function traceTrip(pool: Pool, tripId: string): Promise<Static<typeof TripTrace>> {
  return await onSnapshot(pool, async (transaction, answer_position) => {
    const rows = await transaction.rows(TRIP_CHAIN, [tripId, LIMIT_EVENTS + 1]);
    const stored_events = rows.slice(0, LIMIT_EVENTS).reverse().map(toTracedEvent);
    const [first] = stored_events;
    if (!first) throw notFound(tripId);
    const { fleet_id, source_trip_id } = first;
    const current = stored_events.find((event) => event.state === 'current');
    return {
      trip_id: tripId,
      fleet_id,
      source_trip_id,
      current_position: current?.position ?? null,
      deleted: current?.kind === 'trip.deleted',
      answer_position,
      stored_events,
      ...(await readOthers(transaction, {
        subject: {
          fleetId: fleet_id,
          sourceTripIds: new Set(source_trip_id === null ? [] : [source_trip_id]),
          driverDay: null,
        },
        positions: stored_events.map(({ position }) => position),
        cut: rows.length > LIMIT_EVENTS ? ['stored_events'] : [],
      })),
    };
  });
}

export const tripTrace = operation({
  name: 'trace.trip',
  path: '/trips/:trip_id/trace',
  summary: 'Trace a trip',
  description:
    'Every stored event behind a trip, with where it came from, and the duplicates and dead letters about it.',
  // Without a pattern: an id that cannot be one is as unknown as an id that nobody has.
  input: Type.Object({
    trip_id: Type.String({ description: 'the trip_id of an answer: 32 of the digits 0-9, a-f.' }),
  }),
  answer: TripTrace,
  heavy: true,
  refusals: ['trip_not_found'],
  async run({ pool }, { trip_id }) {
    if (!TRIP_ID.test(trip_id)) throw notFound('of this id');
    return { answer: await traceTrip(pool(ROLES.operator), trip_id) };
  },
});

/** Trips whose dead letters are searched by the trip's own id; each makes the search longer. */
const SEARCHED_TRIPS = 50;

const DriverDayTrace = Type.Object({
  fleet_id: Type.String(),
  driver_id: Type.String(),
  date: Day,
  trip_count: Type.Integer({ description: "How many trips the day's summary sums up." }),
  stored_events: Type.Array(CountedEvent, {
    description: "All revisions of all trips that were ever the driver's on that day, trip by trip.",
  }),
  profile_events: Type.Array(StoredEvent, { description: "The revisions of the driver's profile." }),
  ...traceFields,
});

/**
 * Traces a driver's daily summary back to the records behind it. A driver of whom the log has nothing but dead letters is
 * traced too: that is why no answer knows them.
 *
 * @param pool connections in the operator's role
 * @param date a day in UTC, `YYYY-MM-DD`
 * @throws Refusal when neither the log nor a dead letter names the driver
 *
 * Exported for tests.
 */
export async function traceDriverDay(
  pool: Pool,
  fleetId: string,
  driverId: string,
  date: string,
): Promise<Static<typeof DriverDayTrace>> {
  if (!isCalendarDate(date)) throw new RangeError(`${date} is no day.`);
  return await onSnapshot(pool, async (transaction, answer_position) => {
    const from = startOfDay(date);
    const ofDay = [fleetId, driverId, from, from + MILLISECONDS_PER_DAY, LIMIT_EVENTS + 1];
    const rows = await transaction.rows(DRIVER_DAY_CHAINS, ofDay);
    const stored_events = rows.slice(0, LIMIT_EVENTS).map((row) => toCountedEvent(row, driverId, date));
    const ofProfile = [fleetId, driverId, LIMIT_EVENTS + 1];
    const profileRows = await transaction.rows(PROFILE_CHAIN, ofProfile);
    const profile_events = profileRows
      .sort((left, right) => left.position - right.position)
      .slice(-LIMIT_EVENTS)
      .map(toTracedEvent);
    const positions = [...stored_events, ...profile_events].map(({ position }) => position);
    const sourceTripIds = [...new Set(stored_events.flatMap((event) => event.source_trip_id ?? []))];
    const others = await readOthers(transaction, {
      subject: {
        fleetId,
        sourceTripIds: new Set(sourceTripIds.slice(0, SEARCHED_TRIPS)),
        driverDay: { driverId, date },
      },
      positions,
      cut: [
        ...(rows.length > LIMIT_EVENTS ? ['stored_events'] : []),
        ...(profileRows.length > LIMIT_EVENTS ? ['profile_events'] : []),
      ],
    });
    const { dead_letters, incomplete } = others;
    if (sourceTripIds.length > SEARCHED_TRIPS && !incomplete.includes('dead_letters')) incomplete.push('dead_letters');
    if (positions.length === 0 && dead_letters.length === 0) {
      const [driver] = await transaction.rows(DRIVER_KNOWN, [fleetId, driverId]);
      if (!driver?.known) {
        const sentence = `The log has no driver ${JSON.stringify(driverId)} in the fleet ${fleetId}.`;
        throw new Refusal('driver_not_found', sentence);
      }
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

export const driverDayTrace = operation({
  name: 'trace.driver',
  arguments: ['fleet_id', 'driver_id', 'date'],
  path: '/drivers/:fleet_id/:driver_id/trace',
  summary: "Trace a driver's day",
  description:
    "Every stored event that decides a driver's summary of one UTC day, trips moved away and deleted ones too, with the duplicates and dead letters about it.",
  input: Type.Object({
    ...driver,
    date: Type.String({ format: 'date', description: 'a day in UTC, such as 2025-01-31.' }),
  }),
  inputErrors: ({ date }) =>
    isCalendarDate(date) ? [] : [{ parameter: 'date', message: 'Must be a day such as 2025-01-31.' }],
  answer: DriverDayTrace,
  heavy: true,
  refusals: ['driver_not_found'],
  async run({ pool }, { fleet_id, driver_id, date }) {
    if (isText(driver_id)) return { answer: await traceDriverDay(pool(ROLES.operator), fleet_id, driver_id, date) };
    throw new Refusal('driver_not_found', 'Neither the log nor a dead letter names this driver in this fleet.');
  },
});

export const operations = [tripTrace, driverDayTrace];
