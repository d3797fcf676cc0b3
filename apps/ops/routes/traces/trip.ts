import { NotTracedError, traceTrip } from '@milepost/operations/lineage';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { Problem } from '../../problems/problem.ts';
import { problems, type RouteContext } from '../context.ts';
import { nullable } from '../schemas.ts';
import { StoredEvent, traceFields } from './schemas.ts';

const TRIP_ID = /^[0-9a-f]{32}$/;

export const TripTraceResource = Type.Object({
  trip_id: Type.String(),
  fleet_id: Type.String(),
  source_trip_id: nullable(Type.String()),
  current_position: nullable(Type.Integer({ description: 'The stored event that answers are made from.' })),
  deleted: Type.Boolean({ description: 'That one is a deletion: no answer has the trip.' }),
  stored_events: Type.Array(StoredEvent, { description: 'All revisions, in the order of the log.' }),
  ...traceFields,
});

const schema = {
  tags: ['Lineage'],
  summary: 'Trace a trip',
  description:
    'Every stored event behind a trip, with where it came from, and the duplicates and dead letters about it.',
  params: Type.Object({
    trip_id: Type.String({
      pattern: TRIP_ID.source,
      description: 'The trip_id of an answer: 32 of the digits 0-9, a-f.',
    }),
  }),
  response: { 200: TripTraceResource, ...problems('trip_not_found') },
};

export async function traceTripRoute(app: FastifyInstance, { pool }: RouteContext): Promise<void> {
  app.get<{ Params: { trip_id: string } }>('/trips/:trip_id/trace', { schema }, async ({ params }) => {
    try {
      if (TRIP_ID.test(params.trip_id)) return await traceTrip(pool, params.trip_id);
    } catch (error) {
      if (!(error instanceof NotTracedError)) throw error;
    }
    throw new Problem('trip_not_found', 'The log has no trip of this id: answers and the trip list show trip ids.');
  });
}
