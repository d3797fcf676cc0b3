import { setImmediate, setInterval } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { prepareDatabase } from '../../apps/cli/prepare-database.ts';
import { createTestDatabase } from '../support/database.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { headersOf, send } from '../support/http.ts';
import { scrape } from '../support/metrics.ts';
import { openDirectory, openPool } from '../support/pipeline.ts';
import { Processes } from '../support/processes.ts';
import { tripProcessed } from '../support/records.ts';
import { describeWithKafka } from '../support/service-suites.ts';
import { portSettings } from '../support/services/free-port.ts';
import { firstValue } from '../support/tables.ts';
import { startProxyTo, type TcpProxy } from '../support/tcp-proxy.ts';
import { Topics, toMessage } from '../support/topics.ts';
import { createApiKey } from '../support/world.ts';

const LANES = 24;
const TRIPS_OF_FLEET = 20;
const SAMPLE_MILLISECONDS = 1_000;
const TIMEOUT_MILLISECONDS = 480_000;

/** These are the numbers in docs/operations.md for a process with one lane. `projector` serves metrics. */
const MAX_CONNECTIONS = { api: 13, ingest: 5, projector: 5, ops: 53 };

const fleets = Array.from({ length: LANES }, (_, lane) => `fleet-${lane}`);

/** All fleets' trips, mixed. */
const messages = Array.from({ length: TRIPS_OF_FLEET * LANES }, (_, index) => {
  const fleet_id = fleets[index % LANES] ?? '';
  const trip = tripProcessed({ fleet_id, source_trip_id: `trip-${index}`, tracking_id: `trip-${index}` });
  return toMessage(trip, `${fleet_id}/${index}`);
});

/**
 * Until the signal aborts, counts how many connections each process has at the same time, and returns the maximums. A
 * connection counts if it is open in two consecutive samples, because a process may close one connection and open
 * another at the same moment. On a busy machine, this test may see the new connection a few hundred milliseconds before
 * it sees that the old one is closed.
 */
async function countConnections(proxies: ReadonlyMap<string, TcpProxy>, signal: AbortSignal) {
  const greatest = new Map<string, number>();
  const before = new Map<string, Set<unknown>>();
  for await (const _ of setInterval(SAMPLE_MILLISECONDS)) {
    // Connections whose end has already arrived are removed first.
    await setImmediate();
    for (const [name, { clients }] of proxies) {
      const inBoth = clients.intersection(before.get(name) ?? new Set());
      greatest.set(name, Math.max(greatest.get(name) ?? 0, inBoth.size));
      before.set(name, new Set(clients));
    }
    if (signal.aborted) break;
  }
  return greatest;
}

describeWithKafka('the processes on 24 busy lanes', (brokers) => {
  it(
    'each have no more connections than the documents state for one lane',
    async () => {
      const { url } = untilTestEnds(await createTestDatabase());
      await prepareDatabase(url, { lanes: LANES });
      const [directory, owner] = [untilTestEnds(openDirectory(url)), untilTestEnds(openPool(url))];
      for (const [lane, fleet] of fleets.entries())
        await directory.query('INSERT INTO fleet (fleet_id, lane) VALUES ($1, $2)', [fleet, lane]);
      const keys = await Promise.all(fleets.map(async (fleet) => await createApiKey(directory, fleet)));
      const topics = untilTestEnds(await Topics.create(brokers));
      await topics.publish(messages);
      const { METRICS_PORT = '', ...ports } = await portSettings('PORT', 'OPS_PORT', 'METRICS_PORT');
      const originAt = (port = '') => `http://127.0.0.1:${port}`;

      const proxies = new Map<string, TcpProxy>();
      for (const name of Object.keys(MAX_CONNECTIONS)) {
        const proxy = untilTestEnds(await startProxyTo(url));
        const settings = {
          ...topics.settings(brokers),
          DATABASE_URL: proxy.url,
          ...ports,
          SHUTDOWN_DELAY_SECONDS: '0',
          ...(name === 'projector' ? { METRICS_PORT: '0' } : {}),
          ...(name === 'api' ? { METRICS_PORT } : {}),
        };
        untilTestEnds(new Processes(settings)).start(name);
        proxies.set(name, proxy);
      }
      const done = new AbortController();
      const counting = countConnections(proxies, done.signal);
      /** The keys that have not yet received a response, each with its last refusal. */
      const refused = new Map(keys.map((key) => [key, 'not asked']));
      const ask = async (key: string) => {
        const headers = { ...headersOf(key), connection: 'close' };
        const answer = await send(originAt(ports['PORT']), { path: '/api/v1/drivers', headers }).catch(() => null);
        if (answer?.statusCode === 200) refused.delete(key);
        else if (refused.has(key)) refused.set(key, `${answer?.statusCode}: ${answer?.body}`);
      };
      /** Sends a request with each key, all at once. Returns the last refusals of keys that never got a response. */
      const askAll = async () => {
        await Promise.all(keys.map(ask));
        // On a busy machine, the last request may wait too long behind the others each time.
        for (const key of refused.keys()) await ask(key);
        return [...refused.values()];
      };
      const counts = fleets.map((_, lane) => {
        const schema = lane === 0 ? 'milepost' : `milepost_lane_${lane}`;
        return `(SELECT count(*) FROM ${schema}.trips)`;
      });
      const readable = async () => {
        await askAll();
        return await firstValue(owner, `SELECT ${counts.join(' + ')}`);
      };
      await expect.poll(readable, { timeout: 240_000 }).toBe(messages.length);
      await expect.poll(askAll).toEqual([]);
      const askOps = async () => (await send(originAt(ports['OPS_PORT']), { path: '/metrics' })).statusCode;
      await expect.poll(async () => await askOps().catch(() => null)).toBe(200);
      // Each response has used one connection to its lane, so no lane has more than a few connections.
      const openToLanes = async () => {
        await askAll();
        return (await scrape(`${originAt(METRICS_PORT)}/metrics`)).sum('milepost_database_connections', {
          pool: 'lanes',
        });
      };
      await expect.poll(openToLanes).toBeGreaterThan(5);
      done.abort();
      const counted = await counting;
      for (const [name, most] of Object.entries(MAX_CONNECTIONS)) {
        // Each process has connections to the directory and to a lane.
        expect(counted.get(name), name).toBeGreaterThan(1);
        expect(counted.get(name), name).toBeLessThanOrEqual(most);
      }
    },
    TIMEOUT_MILLISECONDS,
  );
});
