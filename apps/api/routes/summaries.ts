import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerableDates } from '@milepost/domain/answer-times';
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
import { DriverIds, SummaryDay, SummaryWeek } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { sendJson } from '../send-json.ts';
import { type RouteContext, requestHeaders, responses } from './context.ts';

/** Returns the schema for several drivers' summaries. */
function summariesSchema<Summary extends TSchema>(period: 'Daily' | 'Weekly', summary: Summary) {
  const element = Type.Object(
    { driver_info: Driver, driving_summary: summary },
    { $id: `${period}DriverSummary`, description: "A driver and the driver's summary." },
  );
  const description = 'One element per requested driver, in the order of the request.';
  return Type.Object({ data: Type.Array(element, { description }) }, { $id: `${period}Summaries`, description });
}

/** Sends summaries, or throws the problem `driver_not_found` with a list of all unknown drivers. */
function sendSummaries(reply: FastifyReply, found: Summaries | UnknownDrivers): FastifyReply {
  if ('unknown' in found) {
    const names = found.unknown.map((id) => JSON.stringify(id));
    const errors = names.map((name) => ({ parameter: 'driver_id', message: `The fleet has no driver ${name}.` }));
    throw new Problem('driver_not_found', `The fleet has no driver ${names.join(', ')}.`, { errors });
  }
  return sendJson(reply, found, `{"data":[${found.items}]}`);
}

/** Exported for tests. */
export const DailySummaries = summariesSchema('Daily', DailySummary);
/** Exported for tests. */
export const WeeklySummaries = summariesSchema('Weekly', WeeklySummary);

const dailySchema = {
  operationId: 'getDailySummaries',
  tags: ['Reports'],
  summary: 'Daily driver summary',
  description: "Drivers' summaries for a UTC day. A day without trips has zeros and no score.",
  requestHeaders,
  querystring: Type.Object({ start_date: SummaryDay, driver_id: DriverIds }),
  response: responses(DailySummaries, 'invalid_parameter', 'driver_not_found'),
};

const weeklySchema = {
  operationId: 'getWeeklySummaries',
  tags: ['Reports'],
  summary: 'Weekly driver summary',
  description:
    "Drivers' summaries for a week, Monday to Sunday, with each day that has trips. The current week covers the days up to yesterday.",
  requestHeaders,
  querystring: Type.Object({ start_date: SummaryWeek, driver_id: DriverIds }),
  response: responses(WeeklySummaries, 'invalid_parameter', 'driver_not_found'),
};

/** Returns the past days of a week (UTC), excluding today, so that the daily summaries add up to the weekly summary. */
function weekOf(startDate: CalendarDate, now: number) {
  const endDate = addDays(startDate, DAYS_PER_WEEK - 1);
  const { yesterday } = answerableDates(now);
  return { startDate, endDate, throughDate: endDate < yesterday ? endDate : yesterday };
}

export const summaryRoutes: FastifyPluginAsyncTypebox<RouteContext> = async (app, { lanes, now }) => {
  app.get('/driver-aggregate/daily', { schema: dailySchema }, async ({ fleetId, lane, query }, reply) => {
    const { driver_id, start_date } = query;
    return sendSummaries(
      reply,
      await lanes.read(lane, (connections) => dailySummaries(connections, fleetId, driver_id, start_date)),
    );
  });
  app.get('/driver-aggregate/weekly', { schema: weeklySchema }, async ({ fleetId, lane, query }, reply) => {
    const week = weekOf(query.start_date, now());
    return sendSummaries(
      reply,
      await lanes.read(lane, (connections) => weeklySummaries(connections, fleetId, query.driver_id, week)),
    );
  });
};
