import { startOfDay } from '@milepost/domain/calendar';
import { QueryString } from '@milepost/http';
import { listTrips, TripListEntry } from '@milepost/projections/queries';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { pageProperties, queryPage, sendPage } from '../answers/page.ts';
import { Problem } from '../problems/problem.ts';
import { Limit, PageNumber, readLimit, readPageNumber } from '../request/page.ts';
import { isDriverId } from '../request/path-ids.ts';
import { readTripsStartDate, TripsStartDate } from '../request/start-date.ts';
import { latestVisibleEnd, type RouteContext, responses } from './context.ts';

export const TripListPage = Type.Object(
  { ...pageProperties, trips: Type.Array(TripListEntry) },
  { description: 'A page of trips.' },
);

const schema = {
  tags: ['Reports'],
  summary: 'List trips of a driver',
  description: 'Ordered by start time. A trip appears 4 hours after its end.',
  params: Type.Object({ driver_id: Type.String({ description: 'Percent-encoded.' }) }),
  querystring: Type.Object({
    start_date: TripsStartDate,
    limit: Type.Optional(Limit),
    page: Type.Optional(PageNumber),
  }),
  response: responses(TripListPage, 'invalid_parameter', 'driver_not_found'),
};

export async function tripsRoute(app: FastifyInstance, { pool, now }: RouteContext): Promise<void> {
  app.get<{ Params: { driver_id: string } }>('/driver/:driver_id/trips', { schema }, async (request, reply) => {
    const query = new QueryString(request.url);
    const time = now();
    const startsFrom = startOfDay(readTripsStartDate(query, time));
    const asked = { page: readPageNumber(query), limit: readLimit(query) };
    query.finish();
    const { fleetId, params } = request;
    const driverId = params.driver_id;
    const found = isDriverId(driverId)
      ? await listTrips(pool, { fleetId, driverId, startsFrom, endedBy: latestVisibleEnd(time), ...queryPage(asked) })
      : null;
    if (!found) throw new Problem('driver_not_found', `The fleet has no driver ${JSON.stringify(driverId)}.`);
    return sendPage(reply, 'trips', asked, found);
  });
}
