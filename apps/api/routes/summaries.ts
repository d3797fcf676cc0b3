import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { addDays, type CalendarDate, DAYS_PER_WEEK } from '@milepost/domain/calendar';
import {
  DailySummary,
  Driver,
  dailySummaries,
  type Summaries,
  type UnknownDrivers,
  WeeklySummary,
  weeklySummaries,
} from '@milepost/projections/queries';
import type { FastifyReply } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { sendFinished } from '../answers.ts';
import { answerableDates, DriverIds, SummaryDay, SummaryWeek } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { type RouteContext, requestHeaders, responses } from './context.ts';

/** The shape of the summaries of several drivers. */
function summariesSchema<Summary extends TSchema>(period: 'Daily' | 'Weekly', summary: Summary) {
  const element = Type.Object(
    { driver_info: Driver, driving_summary: summary },
    { $id: `${period}DriverSummary`, description: 'A driver, and how the driver did.' },
  );
  const description = 'One element per requested driver, in the order of the request.';
  return Type.Object({ data: Type.Array(element, { description }) }, { $id: `${period}Summaries`, description });
}

/** Sends summaries, or throws `driver_not_found` naming every unknown driver. */
function sendSummaries(reply: FastifyReply, found: Summaries | UnknownDrivers): FastifyReply {
  if ('unknown' in found) {
    const names = found.unknown.map((id) => JSON.stringify(id));
    const errors = names.map((name) => ({ parameter: 'driver_id', message: `The fleet has no driver ${name}.` }));
    throw new Problem('driver_not_found', `The fleet has no driver ${names.join(', ')}.`, { errors });
  }
  return sendFinished(reply, found, `{"data":[${found.items}]}`);
}

/** Exported for tests. */
export const DailySummaries = summariesSchema('Daily', DailySummary);
/** Exported for tests. */
export const WeeklySummaries = summariesSchema('Weekly', WeeklySummary);

const dailySchema = {
  operationId: 'getDailySummaries',
  tags: ['Reports'],
  summary: 'Daily driver summary',
  description: 'How drivers did on a UTC day. A day without trips has zeros and no score.',
  requestHeaders,
  querystring: Type.Object({ start_date: SummaryDay, driver_id: DriverIds }),
  response: responses(DailySummaries, 'invalid_parameter', 'driver_not_found'),
};

const weeklySchema = {
  operationId: 'getWeeklySummaries',
  tags: ['Reports'],
  summary: 'Weekly driver summary',
  description: 'How drivers did in a week, Monday to Sunday, with each day driven. The running week ends yesterday.',
  requestHeaders,
  querystring: Type.Object({ start_date: SummaryWeek, driver_id: DriverIds }),
  response: responses(WeeklySummaries, 'invalid_parameter', 'driver_not_found'),
};

/** The unfinished UTC day is never summed, so that the daily answers always add up to the weekly one. */
function weekOf(startDate: CalendarDate, now: number) {
  const endDate = addDays(startDate, DAYS_PER_WEEK - 1);
  const { yesterday } = answerableDates(now);
  return { startDate, endDate, throughDate: endDate < yesterday ? endDate : yesterday };
}

export const summaryRoutes: FastifyPluginAsyncTypebox<RouteContext> = async (app, { pool, now }) => {
  app.get('/driver-aggregate/daily', { schema: dailySchema }, async ({ fleetId, query }, reply) => {
    return sendSummaries(reply, await dailySummaries(pool, fleetId, query.driver_id, query.start_date));
  });
  app.get('/driver-aggregate/weekly', { schema: weeklySchema }, async ({ fleetId, query }, reply) => {
    const week = weekOf(query.start_date, now());
    return sendSummaries(reply, await weeklySummaries(pool, fleetId, query.driver_id, week));
  });
};
