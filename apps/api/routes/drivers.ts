import { QueryString } from '@milepost/http';
import { Driver, listDrivers } from '@milepost/projections/queries';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { pageProperties, queryPage, sendPage } from '../answers/page.ts';
import { Limit, PageNumber, readLimit, readPageNumber } from '../request/page.ts';
import { type RouteContext, responses } from './context.ts';

export const DriverPage = Type.Object(
  { ...pageProperties, drivers: Type.Array(Driver) },
  { description: 'A page of drivers.' },
);

const schema = {
  tags: ['Reports'],
  summary: 'List drivers',
  description: 'The drivers of the fleet, whatever their status, in the order in which they first appeared.',
  querystring: Type.Object({ limit: Type.Optional(Limit), page: Type.Optional(PageNumber) }),
  response: responses(DriverPage, 'invalid_parameter'),
};

export async function driversRoute(app: FastifyInstance, { pool }: RouteContext): Promise<void> {
  app.get('/drivers', { schema }, async (request, reply) => {
    const query = new QueryString(request.url);
    const asked = { page: readPageNumber(query), limit: readLimit(query) };
    query.finish();
    return sendPage(reply, 'drivers', asked, await listDrivers(pool, request.fleetId, queryPage(asked)));
  });
}
