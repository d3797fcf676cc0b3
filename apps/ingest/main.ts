import { measureConnections, serveMetrics } from '@milepost/metrics';
import { IngestMetrics } from '@milepost/metrics/ingest';
import { checkAtStart } from '@milepost/postgres';
import { locateDatabase } from '@milepost/postgres/embedded';
import { messageOf } from '@milepost/service';
import { startDiagnostics } from '@milepost/service/diagnostics';
import { lowerPriority, PIPELINE_NICENESS } from '@milepost/service/priority';
import { readConfig } from './config.ts';
import { runKafkaIngest } from './kafka/run.ts';
import { openLanes } from './lanes.ts';

/**
 * Runs the ingest process from Kafka to the event logs of the lanes, until the signal aborts.
 *
 * @throws SettingError, DatabaseUnusableError, or Error if no database is found
 */
export async function runIngest(signal: AbortSignal): Promise<void> {
  const config = readConfig();
  lowerPriority(PIPELINE_NICENESS);
  const { logger, stopTracing } = await startDiagnostics('ingest', config);
  const url = await locateDatabase(config, 'ingest');
  const lanes = openLanes(url, 'milepost-ingest');
  const metrics = new IngestMetrics();
  measureConnections(metrics.registry, lanes.pools);
  let closeMetrics = async () => {};
  const onRetry = (error: unknown, delay_milliseconds: number) =>
    logger.warn({ reason: messageOf(error), delay_milliseconds }, 'the database is not ready: retrying');
  try {
    closeMetrics = await serveMetrics(metrics.registry, config.metrics, logger);
    await checkAtStart([lanes.first], { signal, onRetry });
    logger.info({ brokers: config.kafka.brokers, group_id: config.kafka.groupId }, 'ingest started');
    await runKafkaIngest({ pool: lanes.first, openLanes: lanes.read, config: config.kafka, metrics, logger, signal });
  } finally {
    await closeMetrics();
    await lanes.end();
    await stopTracing();
    logger.info('ingest stopped');
  }
}
