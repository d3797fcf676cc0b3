import { QueryString } from '@milepost/http';
import { findTrip, findTripsByTrackingId, type Page, TripDetail } from '@milepost/projections/queries';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { pageProperties, queryPage, sendPage } from '../answers/page.ts';
import { Problem } from '../problems/problem.ts';
import { PageNumber, readPageNumber } from '../request/page.ts';
import { isTrackingId, isTripId } from '../request/path-ids.ts';
import { latestVisibleEnd, type RouteContext, responses } from './context.ts';

const LIMIT = 5;

export const TripDetailPage = Type.Object(
  { ...pageProperties, trips: Type.Array(TripDetail) },
  { description: 'A page of trips.' },
);

type Find = typeof findTrip | typeof findTripsByTrackingId;

const schema = {
  tags: ['Reports'],
  querystring: Type.Object({ page: Type.Optional(PageNumber) }),
  response: responses(TripDetailPage, 'invalid_parameter', 'trip_not_found'),
};

const tripIdSchema = {
  ...schema,
  summary: 'Trip detail by trip_id',
  description: 'One trip with its path and its driving events.',
  params: Type.Object({ trip_id: Type.String({ description: '32 lowercase hexadecimal digits.' }) }),
};

const trackingIdSchema = {
  ...schema,
  summary: 'Trip detail by tracking_id',
  description: `All trips with this tracking id, of whichever drivers, ${LIMIT} per page, ordered by start time.`,
  params: Type.Object({ tracking_id: Type.String({ description: 'Percent-encoded.' }) }),
};

export async function tripDetailRoutes(app: FastifyInstance, { pool, now }: RouteContext): Promise<void> {
  async function answer(request: FastifyRequest, reply: FastifyReply, find: Find, id: string, legal: boolean) {
    const query = new QueryString(request.url);
    const asked = { page: readPageNumber(query), limit: LIMIT };
    query.finish();
    const { fleetId } = request;
    let found: Page | null = null;
    if (legal) found = await find(pool, id, { fleetId, endedBy: latestVisibleEnd(now()), ...queryPage(asked) });
    if (!found)
      throw new Problem('trip_not_found', `The fleet has no trip ${JSON.stringify(id)} that can be seen yet.`);
    return sendPage(reply, 'trips', asked, found);
  }

  app.get<{ Params: { trip_id: string } }>(
    '/trip/trip_id/:trip_id',
    { schema: tripIdSchema },
    async (request, reply) => {
      const id = request.params.trip_id;
      return await answer(request, reply, findTrip, id, isTripId(id));
    },
  );
  app.get<{ Params: { tracking_id: string } }>(
    '/trip/tracking_id/:tracking_id',
    { schema: trackingIdSchema },
    async (request, reply) => {
      const id = request.params.tracking_id;
      return await answer(request, reply, findTripsByTrackingId, id, isTrackingId(id));
    },
  );
}
