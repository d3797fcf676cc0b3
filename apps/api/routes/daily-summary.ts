import { QueryString } from '@milepost/http';
import { DailySummary, dailySummaries } from '@milepost/projections/queries';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { sendSummaries, summariesSchema } from '../answers/summaries.ts';
import { DriverIds, readDriverIds } from '../request/driver-ids.ts';
import { readSummaryDay, SummaryDay } from '../request/start-date.ts';
import { type RouteContext, responses } from './context.ts';

export const DailySummaries = summariesSchema(DailySummary);

const schema = {
  tags: ['Reports'],
  summary: 'Daily driver summary',
  description: 'How drivers did on a UTC day. A day without trips has zeros and no score.',
  querystring: Type.Object({ start_date: SummaryDay, driver_id: DriverIds }),
  response: responses(DailySummaries, 'invalid_parameter', 'driver_not_found'),
};

export async function dailySummaryRoute(app: FastifyInstance, { pool, now }: RouteContext): Promise<void> {
  app.get('/driver-aggregate/daily', { schema }, async (request, reply) => {
    const query = new QueryString(request.url);
    const date = readSummaryDay(query, now());
    const driverIds = readDriverIds(query);
    query.finish();
    return sendSummaries(reply, await dailySummaries(pool, request.fleetId, driverIds, date));
  });
}
