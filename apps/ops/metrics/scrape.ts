import { addGauges, measureProcess, shareReads } from '@milepost/metrics';
import { inSnapshot, type Pool, ROLES } from '@milepost/postgres';
import { inEachLane } from '@milepost/postgres/lanes';
import type { LaneAccess, RolePools } from '@milepost/postgres/lanes/role-pools';
import { type Logger, messageOf } from '@milepost/service';
import { readHealth } from '@milepost/status/log-status';
import type { FastifyInstance } from 'fastify';
import { AggregatorRegistry, Registry } from 'prom-client';
import { addHealth, GROUPS, replayMetrics } from './groups.ts';

/** All scrapes within this time share one read of the database. */
const FRESH_MILLISECONDS = 1_000;
const STATEMENT_TIMEOUT_MILLISECONDS = 2_000;
/** Prometheus waits 10 s by default, and a database that hangs must be reported within that time. */
const READ_TIMEOUT_MILLISECONDS = 5_000;

async function readGroups(pool: Pool, registry: Registry): Promise<void> {
  await inSnapshot(pool, async (transaction) => {
    await transaction.run(`SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MILLISECONDS}`);
    addHealth(registry, await readHealth(transaction));
    for (const group of GROUPS) await group(registry, transaction);
  });
  await replayMetrics(registry, pool);
}

function withUp(registry: Registry, value: 0 | 1): Registry {
  addGauges(registry, 'milepost_', [], [{ up: value }], {
    up: 'Whether the database is responding. If not, all metrics read from the database are missing.',
  });
  return registry;
}

/** Returns a lane's registry. If there are several lanes, its metrics have a `lane` label. */
function registryOf({ number }: LaneAccess, lanes: readonly LaneAccess[]): Registry {
  const registry = new Registry();
  if (lanes.length > 1) registry.setDefaultLabels({ lane: String(number) });
  return registry;
}

async function readLanes(lanes: readonly LaneAccess[], onFault: (error: unknown) => void): Promise<string> {
  const { results, failures } = await inEachLane(lanes, READ_TIMEOUT_MILLISECONDS, async (lane) => {
    const registry = registryOf(lane, lanes);
    await readGroups(lane.pool(ROLES.operator), registry);
    return withUp(registry, 1);
  });
  const unavailable = failures.map(({ lane, error }) => {
    onFault(error);
    return withUp(registryOf(lane, lanes), 0);
  });
  const metrics = [...results, ...unavailable].map((registry) => registry.getMetricsAsJSON());
  return await AggregatorRegistry.aggregate(await Promise.all(metrics)).metrics();
}

async function readDatabase(pools: RolePools, onFault: (error: unknown) => void): Promise<string> {
  try {
    return await readLanes(await pools.list(), onFault);
  } catch (error) {
    onFault(error);
    return await withUp(new Registry(), 0).metrics();
  }
}

/**
 * Declares `/metrics` for Prometheus, with the metrics of the process and of the database. The database metrics are at
 * most a second old, and each lane's metrics come from one snapshot. The path responds even if the database fails, and
 * does not need a token, because it shows only numbers and names.
 *
 * @param ofProcess the metrics of the process, to which the function adds the memory and processor time
 */
export function reportMetrics(app: FastifyInstance, pools: RolePools, ofProcess: Registry, logger: Logger): void {
  measureProcess(ofProcess);
  const onFault = (error: unknown) => {
    logger.warn({ reason: messageOf(error) }, 'The metrics could not be read from the database.');
  };
  const read = shareReads(async () => await readDatabase(pools, onFault), FRESH_MILLISECONDS);
  const schema = {
    operationId: 'getMetrics',
    tags: ['Service'],
    summary: 'Metrics for Prometheus',
    description:
      'Needs no token. The figures for a lane come from one snapshot, which is read at most once a second. While the database is not responding, `milepost_up` is 0, and all metrics from it are missing. If there are several lanes, these metrics have a `lane` label.',
    security: [],
    response: {
      200: {
        description: 'Metrics in Prometheus text format.',
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
    },
  };
  app.get('/metrics', { schema }, async (_request, reply) => {
    const [database, process] = await Promise.all([read(), ofProcess.metrics()]);
    return reply.header('cache-control', 'no-store').type(ofProcess.contentType).send(`${database}\n${process}`);
  });
}
