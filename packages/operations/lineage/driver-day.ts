import { type CalendarDate, MILLISECONDS_PER_DAY, startOfDay } from '@milepost/domain/calendar';
import type { Pool } from '@milepost/postgres';
import { findDeadLettersAbout, type TracedDeadLetter } from './dead-letters.ts';
import { NotTracedError } from './errors.ts';
import { LIMIT_DUPLICATES, LIMIT_EVENTS } from './limits.ts';
import { onSnapshot } from './snapshot.ts';
import { readAnswerPosition } from './sql/answer-position.ts';
import { readDriverDayChains } from './sql/driver-day-chains.ts';
import { hasTrips } from './sql/driver-known.ts';
import { readDuplicates, type TracedDuplicate } from './sql/duplicates.ts';
import { readProfileChain } from './sql/profile-chain.ts';
import { type CountedEvent, type TracedEvent, toCountedEvent, toTracedEvent } from './stored-event.ts';

/** Trips whose dead letters are searched by the trip's own id; each makes the search longer. */
const SEARCHED_TRIPS = 50;

/** Everything in the log that decides a driver's summary of one UTC day. */
export interface DriverDayTrace {
  fleet_id: string;
  driver_id: string;
  date: string;
  /** How many trips the day's summary sums up. */
  trip_count: number;
  /** Answers show the log up to here. */
  answer_position: number;
  /** The whole chains of all trips that were ever the driver's on that day, moved and deleted ones too, trip by trip. */
  stored_events: CountedEvent[];
  /** The revisions of the driver's profile, which the summary shows beside the figures. */
  profile_events: TracedEvent[];
  duplicates: TracedDuplicate[];
  dead_letters: TracedDeadLetter[];
  /** Which of the four lists may lack entries, as a limit was reached. */
  incomplete: ('stored_events' | 'profile_events' | 'duplicates' | 'dead_letters')[];
}

/**
 * Traces a driver's daily summary back to the records behind it. A driver of whom the log has nothing but dead letters is
 * traced too: that is why no answer knows them.
 *
 * @param pool connections in the operator's role
 * @throws NotTracedError when neither the log nor a dead letter names the driver
 */
export async function traceDriverDay(
  pool: Pool,
  fleetId: string,
  driverId: string,
  date: CalendarDate,
): Promise<DriverDayTrace> {
  return await onSnapshot(pool, async (transaction) => {
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
      throw new NotTracedError(`The log has no driver "${driverId}" in the fleet ${fleetId}.`);
    }
    return {
      fleet_id: fleetId,
      driver_id: driverId,
      date,
      trip_count: stored_events.filter((event) => event.counted).length,
      answer_position: await readAnswerPosition(transaction),
      stored_events,
      profile_events,
      duplicates: duplicates.slice(-LIMIT_DUPLICATES),
      dead_letters: letters,
      incomplete: [
        ...(rows.length > LIMIT_EVENTS ? (['stored_events'] as const) : []),
        ...(profileRows.length > LIMIT_EVENTS ? (['profile_events'] as const) : []),
        ...(duplicates.length > LIMIT_DUPLICATES ? (['duplicates'] as const) : []),
        ...(complete && sourceTripIds.length <= SEARCHED_TRIPS ? [] : (['dead_letters'] as const)),
      ],
    };
  });
}
