import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Driver, listDrivers } from '@milepost/projections/queries';
import Type from 'typebox';
import { Limit, PageNumber, pageOf, pageProperties, sendPage } from '../pages.ts';
import { type RouteContext, requestHeaders, responses } from './context.ts';

/** Exported for tests. */
export const DriverPage = Type.Object(
  { ...pageProperties, drivers: Type.Array(Driver, { description: 'The drivers on this page.' }) },
  { $id: 'DriverPage', description: 'A page of drivers.' },
);

const schema = {
  operationId: 'listDrivers',
  tags: ['Reports'],
  summary: 'List drivers',
  description: 'All drivers in the fleet, whatever their status, in the order in which they first appeared.',
  requestHeaders,
  querystring: Type.Object({ page: PageNumber, limit: Limit }),
  response: responses(DriverPage, 'invalid_parameter'),
};

export const driversRoute: FastifyPluginAsyncTypebox<RouteContext> = async (app, { lanes }) => {
  app.get('/drivers', { schema }, async ({ fleetId, lane, query }, reply) => {
    const requested = pageOf(query);
    const found = await lanes.read(lane, (connections) => listDrivers(connections, fleetId, requested));
    return sendPage(reply, 'drivers', requested, found);
  });
};
