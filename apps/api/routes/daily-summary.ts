import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { DailySummary, dailySummaries } from '@milepost/projections/queries';
import Type from 'typebox';
import { sendSummaries, summariesSchema } from '../answers/summaries.ts';
import { DriverIds, SummaryDay } from '../parameters.ts';
import { type RouteContext, responses } from './context.ts';

export const DailySummaries = summariesSchema(DailySummary);

const schema = {
  tags: ['Reports'],
  summary: 'Daily driver summary',
  description: 'How drivers did on a UTC day. A day without trips has zeros and no score.',
  querystring: Type.Object({ start_date: SummaryDay, driver_id: DriverIds }),
  response: responses(DailySummaries, 'invalid_parameter', 'driver_not_found'),
};

export const dailySummaryRoute: FastifyPluginAsyncTypebox<RouteContext> = async (app, { pool }) => {
  app.get('/driver-aggregate/daily', { schema }, async ({ fleetId, query }, reply) => {
    return sendSummaries(reply, await dailySummaries(pool, fleetId, query.driver_id, query.start_date));
  });
};
