import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { addDays, type CalendarDate, DAYS_PER_WEEK } from '@milepost/domain/calendar';
import { WeeklySummary, weeklySummaries } from '@milepost/projections/queries';
import Type from 'typebox';
import { sendSummaries, summariesSchema } from '../answers/summaries.ts';
import { answerableDates, DriverIds, SummaryWeek } from '../parameters.ts';
import { type RouteContext, responses } from './context.ts';

export const WeeklySummaries = summariesSchema(WeeklySummary);

const schema = {
  tags: ['Reports'],
  summary: 'Weekly driver summary',
  description: 'How drivers did in a week, Monday to Sunday, with each day driven. The running week ends yesterday.',
  querystring: Type.Object({ start_date: SummaryWeek, driver_id: DriverIds }),
  response: responses(WeeklySummaries, 'invalid_parameter', 'driver_not_found'),
};

/** The unfinished UTC day is never summed, so that the daily answers always add up to the weekly one. */
function weekOf(startDate: CalendarDate, now: number) {
  const endDate = addDays(startDate, DAYS_PER_WEEK - 1);
  const { yesterday } = answerableDates(now);
  return { startDate, endDate, throughDate: endDate < yesterday ? endDate : yesterday };
}

export const weeklySummaryRoute: FastifyPluginAsyncTypebox<RouteContext> = async (app, { pool, now }) => {
  app.get('/driver-aggregate/weekly', { schema }, async ({ fleetId, query }, reply) => {
    const found = await weeklySummaries(pool, fleetId, query.driver_id, weekOf(query.start_date, now()));
    return sendSummaries(reply, found);
  });
};
