import type { CalendarDate } from '@milepost/domain/calendar';
import { createPool, laneAt, ROLES } from '@milepost/postgres';
import Fastify from 'fastify';
import { groupByDay, groupByWeek } from './group-by.ts';

/**
 * The summaries' peer, which is a bare Fastify server that sums the trips on request. Arguments: database address,
 * fleet. Prints its port.
 */
const [url = '', fleetId = ''] = process.argv.slice(2);
const pool = createPool({
  part: laneAt(url),
  role: ROLES.api,
  applicationName: 'group-by',
  connections: 10,
  statementTimeoutMilliseconds: 5_000,
});

interface Summary {
  Querystring: { start_date: CalendarDate; driver_id: string[] };
}

const app = Fastify();
app.get<Summary>('/api/v1/driver-aggregate/daily', async ({ query }, reply) => {
  reply.type('application/json; charset=utf-8');
  return await groupByDay(pool, fleetId, query.driver_id, query.start_date);
});
app.get<Summary>('/api/v1/driver-aggregate/weekly', async ({ query }, reply) => {
  reply.type('application/json; charset=utf-8');
  return await groupByWeek(pool, fleetId, query.driver_id, query.start_date);
});
console.log(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
