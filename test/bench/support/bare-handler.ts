import { createPool, ROLES } from '@milepost/postgres';
import { listTrips } from '@milepost/read-models/queries';
import Fastify from 'fastify';

/**
 * The floor of the trip list: a bare Fastify handler that runs the same query and sends the same bytes, without keys,
 * checks, limits, or headers. Arguments: database address, fleet, driver, start and end as epoch milliseconds. Prints its
 * port.
 */
const [url = '', fleetId = '', driverId = '', startsFrom, endedBy] = process.argv.slice(2);
const pool = createPool({
  url,
  role: ROLES.api,
  applicationName: 'bare-handler',
  connections: 10,
  statementTimeoutMilliseconds: 5_000,
});
const app = Fastify();
app.get('/', async (_request, reply) => {
  const page = await listTrips(pool, {
    fleetId,
    driverId,
    startsFrom: Number(startsFrom),
    endedBy: Number(endedBy),
    page: 1,
    limit: 100,
  });
  reply.type('application/json; charset=utf-8');
  return `{"count":${page?.count},"current_page":1,"next_page":2,"limit":100,"trips":[${page?.items}]}`;
});
console.log(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
