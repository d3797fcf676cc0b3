import { locateDatabase } from '@milepost/embedded-postgres/locate';
import { createPool, ROLES } from '@milepost/postgres';
import { createLogger } from '@milepost/service';
import { lowerPriority, PIPELINE_NICENESS } from '@milepost/service/priority';
import { readConfig } from './config.ts';
import { runKafkaIngest } from './kafka/run.ts';

/** One for appends, which go one after the other; the others for claims, of which a new assignment brings several. */
const CONNECTIONS = 4;
/** A batch that takes longer is rolled back and tried again: the head's lock must not be held by a stuck statement. */
const STATEMENT_TIMEOUT_MILLISECONDS = 60_000;

/**
 * The ingest process: Kafka to event log, until the signal aborts.
 *
 * @throws SettingError, DatabaseNotFoundError
 */
export async function runIngest(signal: AbortSignal): Promise<void> {
  const config = readConfig();
  lowerPriority(PIPELINE_NICENESS);
  const logger = createLogger('ingest', config.logLevel);
  const pool = createPool({
    url: await locateDatabase(config, 'ingest'),
    role: ROLES.ingest,
    applicationName: 'milepost-ingest',
    connections: CONNECTIONS,
    statementTimeoutMilliseconds: STATEMENT_TIMEOUT_MILLISECONDS,
  });
  try {
    logger.info({ brokers: config.kafka.brokers, group_id: config.kafka.groupId }, 'ingest started');
    await runKafkaIngest({ pool, config: config.kafka, logger, signal });
  } finally {
    await pool.end();
    logger.info('ingest stopped');
  }
}
