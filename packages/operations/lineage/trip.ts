import { type Pool, ROLES } from '@milepost/postgres';
import Type, { type Static } from 'typebox';
import { operation } from '../operation.ts';
import { Refusal } from '../refusal.ts';
import { nullable } from '../schemas.ts';
import { findDeadLettersAbout } from './dead-letters.ts';
import { StoredEvent, traceFields } from './resource.ts';
import { LIMIT_DUPLICATES, LIMIT_EVENTS, onSnapshot } from './snapshot.ts';
import { readDuplicates } from './sql/duplicates.ts';
import { readTripChain } from './sql/trip-chain.ts';
import { toTracedEvent } from './stored-event.ts';

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
 */
export async function traceTrip(pool: Pool, tripId: string): Promise<Static<typeof TripTrace>> {
  return await onSnapshot(pool, async (transaction, answer_position) => {
    const rows = await readTripChain(transaction, tripId, LIMIT_EVENTS + 1);
    const stored_events = rows.slice(-LIMIT_EVENTS).map(toTracedEvent);
    const [first] = stored_events;
    if (!first) throw notFound(tripId);
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
      answer_position,
      stored_events,
      duplicates: duplicates.slice(-LIMIT_DUPLICATES),
      dead_letters: letters,
      incomplete: [
        ...(rows.length > LIMIT_EVENTS ? ['stored_events'] : []),
        ...(duplicates.length > LIMIT_DUPLICATES ? ['duplicates'] : []),
        ...(complete ? [] : ['dead_letters']),
      ],
    };
  });
}

export const tripTrace = operation({
  name: 'trace.trip',
  method: 'GET',
  path: '/trips/:trip_id/trace',
  tag: 'Lineage',
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
