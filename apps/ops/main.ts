import { locateDatabase } from '@milepost/embedded-postgres/locate';
import { listen } from '@milepost/http';
import { createPool, ROLES, type Role } from '@milepost/postgres';
import { aborted, createFrequentLogger, createLogger, messageOf } from '@milepost/service';
import { buildOps } from './build.ts';
import { readConfig } from './config.ts';
import { askKafka } from './kafka.ts';
import type { Enqueue, Enqueuer } from './queue/index.ts';

const CONNECTIONS = 5;
/** For dead letters tried again, and for erasures: few at once, as both keep others from storing. */
const SETTLING_CONNECTIONS = 2;
const STATEMENT_TIMEOUT_MILLISECONDS = 10_000;
/** Prometheus gives a scrape 10 s: waiting for a connection must leave time to say that there was none. */
const ACQUIRE_TIMEOUT_MILLISECONDS = 2_000;

/**
 * Serves the operators' HTTP API and the metrics until the signal aborts, then answers what is under way and resolves.
 * Throws one clear sentence when a setting is wrong, there is no database, or the port cannot be opened.
 */
export async function runOps(signal: AbortSignal): Promise<void> {
  const config = readConfig();
  const logger = createLogger('ops', config.logLevel);
  const databaseUrl = await locateDatabase(config, 'ops');
  const poolAs = (role: Role, connections: number) =>
    createPool({
      url: databaseUrl,
      role,
      applicationName: 'milepost-ops',
      connections,
      statementTimeoutMilliseconds: STATEMENT_TIMEOUT_MILLISECONDS,
      acquireTimeoutMilliseconds: ACQUIRE_TIMEOUT_MILLISECONDS,
    });
  const pool = poolAs(ROLES.operator, CONNECTIONS);
  const ingestPool = poolAs(ROLES.ingest, SETTLING_CONNECTIONS);
  const eraserPool = poolAs(ROLES.eraser, SETTLING_CONNECTIONS);
  const { token, kafka, redisUrl, maximumLagSeconds } = config;
  const onKafkaFault = (error: unknown) => {
    logger.warn({ reason: messageOf(error) }, 'Kafka does not answer: lags of sources are unknown.');
  };
  const askEndOffsets = kafka ? askKafka(kafka, onKafkaFault) : null;
  let jobs: Enqueuer | undefined;
  const enqueue: Enqueue = async (data) => {
    // Loaded at the first job: the queue's library takes a while.
    const { openEnqueuer } = await import('./queue/index.ts');
    jobs ??= openEnqueuer({ databaseUrl, redisUrl });
    return await jobs.enqueue(data);
  };
  const app = await buildOps({
    pool,
    ingestPool,
    eraserPool,
    enqueue,
    logger,
    requestLogger: config.requestLog ? createFrequentLogger('ops', config.logLevel) : undefined,
    token,
    askEndOffsets,
    maximumLagSeconds,
  });
  try {
    const address = await listen(app, config.host, config.port, 'OPS_PORT');
    logger.info({ address }, `The operators' API answers at ${address}; its reference is at ${address}/docs.`);
    if (token === undefined) logger.warn('OPS_TOKEN is not set: only health and metrics are answered.');
    // Loaded once the port is open: the queue's library takes a while.
    const { runWorker } = await import('./worker/index.ts');
    const working = runWorker({ ...config, databaseUrl, logger, signal });
    await Promise.race([aborted(signal), working]);
    logger.info('The ops process is stopping.');
    await working;
  } finally {
    await app.close();
    await jobs?.close();
    await Promise.all([pool.end(), ingestPool.end(), eraserPool.end()]);
  }
}
