import type { Pool } from '@milepost/postgres';
import { findDeadLettersAbout, type TracedDeadLetter } from './dead-letters.ts';
import { NotTracedError } from './errors.ts';
import { LIMIT_DUPLICATES, LIMIT_EVENTS } from './limits.ts';
import { onSnapshot } from './snapshot.ts';
import { readAnswerPosition } from './sql/answer-position.ts';
import { readDuplicates, type TracedDuplicate } from './sql/duplicates.ts';
import { readTripChain } from './sql/trip-chain.ts';
import { type TracedEvent, toTracedEvent } from './stored-event.ts';

/** Everything that the log holds about a trip. */
export interface TripTrace {
  trip_id: string;
  fleet_id: string;
  source_trip_id: string | null;
  /** The stored event that answers are made from. */
  current_position: number | null;
  /** That one is a deletion: no answer has the trip. */
  deleted: boolean;
  /** Answers show the log up to here. */
  answer_position: number;
  /** The whole chain of revisions in the order of the log. */
  stored_events: TracedEvent[];
  duplicates: TracedDuplicate[];
  dead_letters: TracedDeadLetter[];
  /** Which of the three lists may lack older entries, as a limit was reached. */
  incomplete: ('stored_events' | 'duplicates' | 'dead_letters')[];
}

/**
 * Traces a trip back to the records behind it.
 *
 * @param pool connections in the operator's role
 * @param tripId 32 hex digits
 * @throws NotTracedError when the log has no stored event of this trip
 */
export async function traceTrip(pool: Pool, tripId: string): Promise<TripTrace> {
  return await onSnapshot(pool, async (transaction) => {
    const rows = await readTripChain(transaction, tripId, LIMIT_EVENTS + 1);
    const stored_events = rows.slice(-LIMIT_EVENTS).map(toTracedEvent);
    const [first] = stored_events;
    if (!first) throw new NotTracedError(`The log has no trip ${tripId}: answers and the trip list show trip ids.`);
    const positions = stored_events.map((event) => event.position);
    const duplicates = await readDuplicates(transaction, positions, LIMIT_DUPLICATES + 1);
    const { letters, complete } = await findDeadLettersAbout(transaction, {
      fleetId: first.fleet_id,
      sourceTripIds: new Set(first.source_trip_id === null ? [] : [first.source_trip_id]),
      driverDay: null,
    });
    const current = stored_events.find((event) => event.state === 'current');
    return {
      trip_id: tripId,
      fleet_id: first.fleet_id,
      source_trip_id: first.source_trip_id,
      current_position: current?.position ?? null,
      deleted: current?.kind === 'trip.deleted',
      answer_position: await readAnswerPosition(transaction),
      stored_events,
      duplicates: duplicates.slice(-LIMIT_DUPLICATES),
      dead_letters: letters,
      incomplete: [
        ...(rows.length > LIMIT_EVENTS ? (['stored_events'] as const) : []),
        ...(duplicates.length > LIMIT_DUPLICATES ? (['duplicates'] as const) : []),
        ...(complete ? [] : (['dead_letters'] as const)),
      ],
    };
  });
}
