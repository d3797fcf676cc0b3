import { listen } from '@milepost/http/listen';
import { measureConnections, serveMetrics } from '@milepost/metrics';
import { ApiMetrics } from '@milepost/metrics/api';
import { checkAtStart, createPool, directoryAt, ROLES, ServerPools } from '@milepost/postgres';
import { locateDatabase } from '@milepost/postgres/embedded';
import { LanePools } from '@milepost/postgres/lanes';
import { Standby } from '@milepost/postgres/standby';
import { checkReadTables } from '@milepost/projections/queries';
import { messageOf } from '@milepost/service';
import { startDiagnostics } from '@milepost/service/diagnostics';
import { createFrequentLogger } from '@milepost/service/frequent-log';
import { aborted } from '@milepost/service/stop';
import { buildApi } from './build.ts';
import { readConfig } from './config.ts';
import { connectRedis } from './redis.ts';

/** This is one more than the number of concurrent requests. All lanes on a server share these connections. */
const CONNECTIONS = 11;
/** The number of connections that are kept open to each server. */
const KEPT_CONNECTIONS = 4;
/** The number of connections that look up API keys. A few are enough, because the results are cached. */
const DIRECTORY_CONNECTIONS = 2;
const KEPT_DIRECTORY_CONNECTIONS = 1;
/**
 * The sum of these two is a request's timeout, so an unresponsive database connection is closed when its request times
 * out.
 */
const STATEMENT_TIMEOUT_MILLISECONDS = 4_000;
const SILENCE_MILLISECONDS = 1_000;
/** A statement that waits for a lock on the standby ends early enough to run on the primary instead. */
const STANDBY_STATEMENT_TIMEOUT_MILLISECONDS = 1_000;

/**
 * Serves the HTTP API until the signal aborts, then responds to the pending requests and resolves. Throws an error with
 * a one-sentence message when a setting is invalid, there is no usable database, or the port cannot be opened.
 */
export async function runApi(signal: AbortSignal): Promise<void> {
  const config = readConfig();
  const { logger, stopTracing } = await startDiagnostics('api', config);
  const databaseUrl = await locateDatabase(config, 'api');
  const options = {
    role: ROLES.api,
    applicationName: 'milepost-api',
    connections: CONNECTIONS,
    statementTimeoutMilliseconds: STATEMENT_TIMEOUT_MILLISECONDS,
    silenceMilliseconds: SILENCE_MILLISECONDS,
  };
  const directory = createPool({
    ...options,
    part: directoryAt(databaseUrl),
    connections: DIRECTORY_CONNECTIONS,
    keptConnections: KEPT_DIRECTORY_CONNECTIONS,
  });
  const servers = new ServerPools({ ...options, keptConnections: KEPT_CONNECTIONS });
  const lanes = new LanePools(directory, (lane) => servers.open(lane));
  const { standbyUrl } = config;
  const standby =
    standbyUrl === undefined
      ? undefined
      : new Standby({
          primary: directory,
          url: standbyUrl,
          pools: new ServerPools({
            ...options,
            statementTimeoutMilliseconds: STANDBY_STATEMENT_TIMEOUT_MILLISECONDS,
          }),
          probe: checkReadTables,
          onChange: (reason) => {
            if (reason === null) logger.info('The API is reading from the standby.');
            else logger.warn({ reason: messageOf(reason) }, 'The standby is not in use: reading from the primary.');
          },
        });
  const redis = config.redisUrl === undefined ? undefined : connectRedis(config.redisUrl, logger);
  const metrics = config.metrics && new ApiMetrics();
  if (metrics)
    measureConnections(metrics.registry, () => ({
      lanes: lanes.all,
      directory: [directory],
      ...(standby ? { standby: standby.pools } : {}),
    }));
  if (metrics && standby)
    metrics.readStandby(() => ({
      lanes: lanes.numbers.filter((lane) => standby.has(lanes.of(lane))),
      delaySeconds: standby.delaySeconds,
    }));
  const app = await buildApi({
    ...config,
    lanes,
    standby,
    directory,
    logger,
    requestLogger: config.requestLog ? createFrequentLogger('api', config.logLevel) : undefined,
    now: Date.now,
    metrics,
    redis,
  });
  let closeMetrics = async () => {};
  try {
    if (metrics) closeMetrics = await serveMetrics(metrics.registry, config.metrics, logger);
    const address = await listen(app, config.host, config.port, 'PORT');
    logger.info({ address }, `The API is listening at ${address}; its reference is at ${address}/docs.`);
    // The API responds to /readyz while the check waits for a database that is not ready.
    await Promise.all([aborted(signal), checkAtStart([lanes.first, directory], { signal })]);
    logger.info('The API is stopping.');
  } finally {
    await app.close();
    redis?.disconnect();
    await closeMetrics();
    await Promise.all([lanes.end(), standby?.end(), directory.end()]);
    await stopTracing();
  }
}
