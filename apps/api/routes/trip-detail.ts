import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { latestVisibleEnd } from '@milepost/domain/answer-times';
import { TRIP_ID } from '@milepost/domain/ids';
import { findTrip, findTripsByTrackingId, TripDetail } from '@milepost/projections/queries';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { PageNumber, pageOf, pageProperties, sendPage } from '../pages.ts';
import { TRACKING_ID } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { type RouteContext, requestHeaders, responses } from './context.ts';

const LIMIT = 5;

/** Exported for tests. */
export const TripDetailPage = Type.Object(
  { ...pageProperties, trips: Type.Array(TripDetail, { description: 'The trips on this page.' }) },
  { $id: 'TripDetailPage', description: 'A page of trips with their paths and driving events.' },
);

type Find = typeof findTrip | typeof findTripsByTrackingId;

const schema = {
  tags: ['Reports'],
  requestHeaders,
  querystring: Type.Object({ page: PageNumber }),
  response: responses(TripDetailPage, 'invalid_parameter', 'trip_not_found'),
};

const tripIdSchema = {
  ...schema,
  operationId: 'getTrip',
  summary: 'Trip detail by trip_id',
  description: 'One trip with its path and its driving events.',
  params: Type.Object({ trip_id: Type.String({ description: '32 lowercase hexadecimal digits.' }) }),
};

const trackingIdSchema = {
  ...schema,
  operationId: 'getTripsByTrackingId',
  summary: 'Trip detail by tracking_id',
  description: `All trips with this tracking id, by any driver, ${LIMIT} per page, ordered by start time.`,
  params: Type.Object({ tracking_id: Type.String({ description: 'The id set through the SDK, percent-encoded.' }) }),
};

export const tripDetailRoutes: FastifyPluginAsyncTypebox<RouteContext> = async (app, { lanes, now }) => {
  async function answer(reply: FastifyReply, find: Find, legal: RegExp, id: string, query: { page?: number }) {
    const requested = pageOf({ ...query, limit: LIMIT });
    const { fleetId, lane } = reply.request;
    const wanted = { fleetId, endedBy: latestVisibleEnd(now()), ...requested };
    const found = legal.test(id) ? await lanes.read(lane, (connections) => find(connections, id, wanted)) : null;
    if (!found) throw new Problem('trip_not_found', `The fleet has no trip ${JSON.stringify(id)} that is visible yet.`);
    return sendPage(reply, 'trips', requested, found);
  }

  app.get('/trip/trip_id/:trip_id', { schema: tripIdSchema }, async ({ params, query }, reply) => {
    return await answer(reply, findTrip, TRIP_ID, params.trip_id, query);
  });
  app.get('/trip/tracking_id/:tracking_id', { schema: trackingIdSchema }, async ({ params, query }, reply) => {
    return await answer(reply, findTripsByTrackingId, TRACKING_ID, params.tracking_id, query);
  });
};
