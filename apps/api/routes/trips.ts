import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { latestVisibleEnd } from '@milepost/domain/answer-times';
import { startOfDay } from '@milepost/domain/calendar';
import { listTrips, TripListEntry } from '@milepost/projections/queries';
import Type from 'typebox';
import { Limit, PageNumber, pageOf, pageProperties, sendPage } from '../pages.ts';
import { DRIVER_ID, TripsStartDate } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { type RouteContext, requestHeaders, responses } from './context.ts';

/** Exported for tests. */
export const TripListPage = Type.Object(
  { ...pageProperties, trips: Type.Array(TripListEntry, { description: 'The trips on this page.' }) },
  { $id: 'TripPage', description: 'A page of trips.' },
);

const schema = {
  operationId: 'listTrips',
  tags: ['Reports'],
  summary: "List a driver's trips",
  description: 'Ordered by start time. A trip appears 4 hours after it ends.',
  requestHeaders,
  params: Type.Object({ driver_id: Type.String({ description: 'The id of the driver, percent-encoded.' }) }),
  querystring: Type.Object({ start_date: TripsStartDate, page: PageNumber, limit: Limit }),
  response: responses(TripListPage, 'invalid_parameter', 'driver_not_found'),
};

export const tripsRoute: FastifyPluginAsyncTypebox<RouteContext> = async (app, { lanes, now }) => {
  app.get('/driver/:driver_id/trips', { schema }, async ({ fleetId, lane, params, query }, reply) => {
    const requested = pageOf(query);
    const driverId = params.driver_id;
    const startsFrom = startOfDay(query.start_date);
    const wanted = { fleetId, driverId, startsFrom, endedBy: latestVisibleEnd(now()), ...requested };
    const isLegal = DRIVER_ID.test(driverId);
    const found = isLegal ? await lanes.read(lane, (connections) => listTrips(connections, wanted)) : null;
    if (!found) throw new Problem('driver_not_found', `The fleet has no driver ${JSON.stringify(driverId)}.`);
    return sendPage(reply, 'trips', requested, found);
  });
};
