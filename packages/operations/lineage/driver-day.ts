import { isCalendarDate, MILLISECONDS_PER_DAY, startOfDay } from '@milepost/domain/calendar';
import { type Pool, ROLES } from '@milepost/postgres';
import Type, { type Static } from 'typebox';
import { operation } from '../operation.ts';
import { Refusal } from '../refusal.ts';
import { Day, driver, isText } from '../schemas.ts';
import { findDeadLettersAbout } from './dead-letters.ts';
import { CountedEvent, StoredEvent, traceFields } from './resource.ts';
import { LIMIT_DUPLICATES, LIMIT_EVENTS, onSnapshot } from './snapshot.ts';
import { readDriverDayChains } from './sql/driver-day-chains.ts';
import { hasTrips } from './sql/driver-known.ts';
import { readDuplicates } from './sql/duplicates.ts';
import { readProfileChain } from './sql/profile-chain.ts';
import { toCountedEvent, toTracedEvent } from './stored-event.ts';

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
    const day = { fleetId, driverId, from, to: from + MILLISECONDS_PER_DAY };
    const rows = await readDriverDayChains(transaction, day, LIMIT_EVENTS + 1);
    const stored_events = rows.slice(0, LIMIT_EVENTS).map((row) => toCountedEvent(row, driverId, date));
    const profileRows = await readProfileChain(transaction, fleetId, driverId, LIMIT_EVENTS + 1);
    const profile_events = profileRows.slice(-LIMIT_EVENTS).map(toTracedEvent);
    const positions = [...stored_events, ...profile_events].map((event) => event.position);
    const duplicates = await readDuplicates(transaction, positions, LIMIT_DUPLICATES + 1);
    const sourceTripIds = [...new Set(stored_events.flatMap((event) => event.source_trip_id ?? []))];
    const { letters, complete } = await findDeadLettersAbout(transaction, {
      fleetId,
      sourceTripIds: new Set(sourceTripIds.slice(0, SEARCHED_TRIPS)),
      driverDay: { driverId, date },
    });
    const isKnown = positions.length > 0 || (await hasTrips(transaction, fleetId, driverId));
    if (!isKnown && letters.length === 0) {
      throw new Refusal(
        'driver_not_found',
        `The log has no driver ${JSON.stringify(driverId)} in the fleet ${fleetId}.`,
      );
    }
    return {
      fleet_id: fleetId,
      driver_id: driverId,
      date,
      trip_count: stored_events.filter((event) => event.counted).length,
      answer_position,
      stored_events,
      profile_events,
      duplicates: duplicates.slice(-LIMIT_DUPLICATES),
      dead_letters: letters,
      incomplete: [
        ...(rows.length > LIMIT_EVENTS ? ['stored_events'] : []),
        ...(profileRows.length > LIMIT_EVENTS ? ['profile_events'] : []),
        ...(duplicates.length > LIMIT_DUPLICATES ? ['duplicates'] : []),
        ...(complete && sourceTripIds.length <= SEARCHED_TRIPS ? [] : ['dead_letters']),
      ],
    };
  });
}

export const driverDayTrace = operation({
  name: 'trace.driver',
  arguments: ['fleet_id', 'driver_id', 'date'],
  method: 'GET',
  path: '/drivers/:fleet_id/:driver_id/trace',
  tag: 'Lineage',
  summary: "Trace a driver's day",
  description:
    "Every stored event that decides a driver's summary of one UTC day, trips moved away and deleted ones too, with the duplicates and dead letters about it.",
  input: Type.Object({
    ...driver,
    date: Type.String({ format: 'date', description: 'a day in UTC, such as 2025-01-31.' }),
  }),
  faults: ({ date }) =>
    isCalendarDate(date) ? [] : [{ parameter: 'date', message: 'Must be a day such as 2025-01-31.' }],
  answer: DriverDayTrace,
  heavy: true,
  refusals: ['driver_not_found'],
  async run({ pool }, { fleet_id, driver_id, date }) {
    if (isText(driver_id)) return { answer: await traceDriverDay(pool(ROLES.operator), fleet_id, driver_id, date) };
    throw new Refusal('driver_not_found', 'Neither the log nor a dead letter names this driver in this fleet.');
  },
});
