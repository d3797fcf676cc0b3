import { listen } from '@milepost/http/listen';
import { JobMetrics } from '@milepost/metrics/jobs';
import { checkAtStart, createPool, directoryAt, type Pool, ROLES, type Role, ServerPools } from '@milepost/postgres';
import { locateDatabase } from '@milepost/postgres/embedded';
import type { Lane } from '@milepost/postgres/lanes';
import { RolePools } from '@milepost/postgres/lanes/role-pools';
import { messageOf } from '@milepost/service';
import { startDiagnostics } from '@milepost/service/diagnostics';
import { createFrequentLogger } from '@milepost/service/frequent-log';
import { aborted } from '@milepost/service/stop';
import { buildOps } from './build.ts';
import { readConfig } from './config.ts';
import { askKafka } from './kafka.ts';
import type { JobQueue } from './queue.ts';
import { runWorker } from './worker/index.ts';

const CONNECTIONS = 5;
/** These connections are for API keys and the audit trail. */
const DIRECTORY_CONNECTIONS = 2;
/** Connections for erasures and dead-letter retries. Few are needed, because both operations block ingest. */
const SETTLING_CONNECTIONS = 2;
const POOL = {
  applicationName: 'milepost-ops',
  statementTimeoutMilliseconds: 10_000,
  /** Prometheus waits 10 s for a scrape, so a wait for a connection must be shorter. */
  acquireTimeoutMilliseconds: 2_000,
};

/**
 * Returns a function that opens a role's pool on a lane. For each role, all lanes on a server share the same
 * connections.
 */
function poolsByRole(): (lane: Lane, role: Role) => Pool {
  const servers = new Map<Role, ServerPools>();
  return (lane, role) => {
    const connections = role === ROLES.operator ? CONNECTIONS : SETTLING_CONNECTIONS;
    const ofRole = servers.get(role) ?? new ServerPools({ ...POOL, role, connections });
    servers.set(role, ofRole);
    return ofRole.open(lane);
  };
}

/**
 * Serves the operators' HTTP API and the metrics until the signal aborts, then finishes the pending requests and
 * resolves. Throws an error with a one-sentence message if a setting is invalid, there is no usable database, or the
 * port is in use.
 */
export async function runOps(signal: AbortSignal): Promise<void> {
  const config = readConfig();
  const { logger, stopTracing } = await startDiagnostics('ops', config);
  const databaseUrl = await locateDatabase(config, 'ops');
  const part = directoryAt(databaseUrl);
  const directory = createPool({ ...POOL, part, role: ROLES.operator, connections: DIRECTORY_CONNECTIONS });
  const pools = new RolePools(directory, poolsByRole());
  const { token, kafka, redisUrl, maximumLagSeconds, publicUrl } = config;
  const onKafkaFault = (error: unknown) => {
    logger.warn({ reason: messageOf(error) }, 'Kafka is not responding, so the lags of the sources are unknown.');
  };
  const askEndOffsets = kafka ? askKafka(kafka, onKafkaFault) : null;
  let jobs: JobQueue | undefined;
  const metrics = new JobMetrics();
  const app = await buildOps({
    token,
    maximumLagSeconds,
    publicUrl,
    metrics: metrics.registry,
    pools,
    directory,
    announce: (job) => void jobs?.add(job),
    logger,
    requestLogger: config.requestLog ? createFrequentLogger('ops', config.logLevel) : undefined,
    askEndOffsets,
  });
  try {
    const address = await listen(app, config.host, config.port, 'OPS_PORT');
    logger.info({ address }, `The operators' API is listening at ${address}; its reference is at ${address}/docs.`);
    if (token === undefined) logger.warn('OPS_TOKEN is not set, so only health and metrics are served.');
    const onRetry = (error: unknown, delay_milliseconds: number) =>
      logger.warn({ reason: messageOf(error), delay_milliseconds }, 'The database is not ready; trying again.');
    const inFirst = [ROLES.operator, ROLES.ingest, ROLES.eraser].map((role) => pools.first.pool(role));
    // The process already serves /healthz while the check waits for the database to become ready.
    await checkAtStart([...inFirst, directory], { signal, onRetry });
    // The queue is loaded only after the port is open, because loading its library takes a long time.
    if (redisUrl !== undefined) jobs = (await import('./queue.ts')).openQueue(redisUrl);
    const working = runWorker({ ...config, databaseUrl, metrics, logger, signal });
    await Promise.race([aborted(signal), working]);
    logger.info('The ops process is stopping.');
    await working;
  } finally {
    await app.close();
    await jobs?.close();
    await Promise.all([directory.end(), pools.end()]);
    await stopTracing();
  }
}
