import { addDays, type CalendarDate, startOfDay } from '@milepost/domain/calendar';
import { createPool, laneAt, ROLES } from '@milepost/postgres';
import {
  dailySummaries,
  findTrip,
  listDrivers,
  listTrips,
  type Page,
  weeklySummaries,
} from '@milepost/projections/queries';
import Fastify, { type FastifyReply } from 'fastify';

/**
 * The reference for the five endpoints: a server with bare Fastify handlers at the same paths, which run the same
 * queries and send the same bytes. They use the parameters as Fastify parses them, without keys, checks, limits, ETags
 * or compression. Arguments: database address, fleet. The server prints its port.
 */
const [url = '', fleetId = ''] = process.argv.slice(2);
const PROCESSING_MILLISECONDS = 4 * 60 * 60 * 1000;
const pool = createPool({
  part: laneAt(url),
  role: ROLES.api,
  applicationName: 'bare-handler',
  connections: 10,
  statementTimeoutMilliseconds: 5_000,
});
const app = Fastify();

function send(reply: FastifyReply, body: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(body);
}

function sendPage(reply: FastifyReply, name: string, page: number, limit: number, found: Page | null): FastifyReply {
  const next = page * limit < (found?.count ?? 0) ? page + 1 : null;
  const head = `{"count":${found?.count},"current_page":${page},"next_page":${next},"limit":${limit}`;
  return send(reply, `${head},"${name}":[${found?.items}]}`);
}

interface List {
  Params: { driver_id: string };
  Querystring: { start_date: CalendarDate; limit: string; page?: string };
}

app.get<List>('/api/v1/drivers', async ({ query }, reply) => {
  const asked = { page: Number(query.page ?? 1), limit: Number(query.limit) };
  return sendPage(reply, 'drivers', asked.page, asked.limit, await listDrivers(pool, fleetId, asked));
});
app.get<List>('/api/v1/driver/:driver_id/trips', async ({ params, query }, reply) => {
  const asked = { page: Number(query.page ?? 1), limit: Number(query.limit) };
  const found = await listTrips(pool, {
    fleetId,
    driverId: params.driver_id,
    startsFrom: startOfDay(query.start_date),
    endedBy: Date.now() - PROCESSING_MILLISECONDS,
    ...asked,
  });
  return sendPage(reply, 'trips', asked.page, asked.limit, found);
});
app.get<{ Params: { trip_id: string } }>('/api/v1/trip/trip_id/:trip_id', async ({ params }, reply) => {
  const endedBy = Date.now() - PROCESSING_MILLISECONDS;
  return sendPage(reply, 'trips', 1, 5, await findTrip(pool, params.trip_id, { fleetId, endedBy, page: 1, limit: 5 }));
});

interface Summary {
  Querystring: { start_date: CalendarDate; driver_id: string[] };
}

app.get<Summary>('/api/v1/driver-aggregate/daily', async ({ query }, reply) => {
  const found = await dailySummaries(pool, fleetId, query.driver_id, query.start_date);
  return send(reply, `{"data":[${'items' in found ? found.items : ''}]}`);
});
app.get<Summary>('/api/v1/driver-aggregate/weekly', async ({ query }, reply) => {
  const endDate = addDays(query.start_date, 6);
  const week = { startDate: query.start_date, endDate, throughDate: endDate };
  const found = await weeklySummaries(pool, fleetId, query.driver_id, week);
  return send(reply, `{"data":[${'items' in found ? found.items : ''}]}`);
});
console.log(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
