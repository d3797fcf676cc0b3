import { type CalendarDate, isCalendarDate } from '@milepost/domain/calendar';
import { QueryString } from '@milepost/http';
import { NotTracedError, traceDriverDay } from '@milepost/operations/lineage';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { Problem } from '../../problems/problem.ts';
import { problems, type RouteContext } from '../context.ts';
import { Day, driverParams } from '../schemas.ts';
import { CountedEvent, StoredEvent, traceFields } from './schemas.ts';

export const DriverDayTraceResource = Type.Object({
  fleet_id: Type.String(),
  driver_id: Type.String(),
  date: Day,
  trip_count: Type.Integer({ description: "How many trips the day's summary sums up." }),
  stored_events: Type.Array(CountedEvent, {
    description: "All revisions of all trips that were ever the driver's on that day, trip by trip.",
  }),
  profile_events: Type.Array(StoredEvent, { description: "The revisions of the driver's profile." }),
  ...traceFields,
});

const schema = {
  tags: ['Lineage'],
  summary: "Trace a driver's day",
  description:
    "Every stored event that decides a driver's summary of one UTC day, trips moved away and deleted ones too, with the duplicates and dead letters about it.",
  params: driverParams,
  querystring: Type.Object({ date: Day }),
  response: { 200: DriverDayTraceResource, ...problems('invalid_parameter', 'driver_not_found') },
};

function readDate(url: string): CalendarDate {
  const query = new QueryString(url);
  const text = query.single('date');
  if (text !== undefined && isCalendarDate(text)) return text;
  if (query.all('date').length < 2) query.reject('date', 'Required: a day in UTC, such as 2025-01-31.');
  query.finish();
  throw new Error('A date that is none was not rejected.');
}

interface Route {
  Params: { fleet_id: string; driver_id: string };
}

export async function traceDriverDayRoute(app: FastifyInstance, { pool }: RouteContext): Promise<void> {
  app.get<Route>('/drivers/:fleet_id/:driver_id/trace', { schema }, async ({ params, url }) => {
    const { fleet_id, driver_id } = params;
    const date = readDate(url);
    try {
      // No text of PostgreSQL holds U+0000: asking for one would fail.
      if (!`${fleet_id}${driver_id}`.includes('\0')) return await traceDriverDay(pool, fleet_id, driver_id, date);
    } catch (error) {
      if (!(error instanceof NotTracedError)) throw error;
    }
    throw new Problem('driver_not_found', 'Neither the log nor a dead letter names this driver in this fleet.');
  });
}
