import { addDays, type CalendarDate, DAYS_PER_WEEK } from '@milepost/domain/calendar';
import { QueryString } from '@milepost/http';
import { WeeklySummary, weeklySummaries } from '@milepost/projections/queries';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { sendSummaries, summariesSchema } from '../answers/summaries.ts';
import { answerableDates } from '../request/answerable-dates.ts';
import { DriverIds, readDriverIds } from '../request/driver-ids.ts';
import { readSummaryWeek, SummaryWeek } from '../request/start-date.ts';
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

export async function weeklySummaryRoute(app: FastifyInstance, { pool, now }: RouteContext): Promise<void> {
  app.get('/driver-aggregate/weekly', { schema }, async (request, reply) => {
    const query = new QueryString(request.url);
    const time = now();
    const startDate = readSummaryWeek(query, time);
    const driverIds = readDriverIds(query);
    query.finish();
    const found = await weeklySummaries(pool, request.fleetId, driverIds, weekOf(startDate, time));
    return sendSummaries(reply, found);
  });
}
