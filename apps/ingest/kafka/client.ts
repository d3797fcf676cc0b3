import type { Logger } from '@milepost/service';
import { Kafka, logLevel } from 'kafkajs';
import type { KafkaConfig } from '../config.ts';

const LEVELS = {
  [logLevel.NOTHING]: 'silent',
  // Each of these is followed by an error that ingest deals with and reports itself.
  [logLevel.ERROR]: 'debug',
  [logLevel.WARN]: 'debug',
  [logLevel.INFO]: 'debug',
  [logLevel.DEBUG]: 'debug',
} as const;

/** A client of the brokers; what it logs goes to `logger`. */
export function createKafkaClient(config: KafkaConfig, logger: Logger): Kafka {
  return new Kafka({
    clientId: 'milepost-ingest',
    brokers: config.brokers,
    ssl: config.ssl,
    ...(config.sasl ? { sasl: saslOptions(config.sasl) } : {}),
    connectionTimeout: 5_000,
    requestTimeout: 30_000,
    retry: { initialRetryTime: 200, maxRetryTime: 5_000, retries: 5 },
    logLevel: logger.isLevelEnabled('debug') ? logLevel.DEBUG : logLevel.WARN,
    logCreator:
      () =>
      ({ level, log: { message, timestamp: _, logger: __, ...details } }) =>
        logger[LEVELS[level]]({ kafka: details }, message),
  });
}

/** The same three fields under the mechanism's own type, as the client wants them. */
function saslOptions({ mechanism, username, password }: NonNullable<KafkaConfig['sasl']>) {
  switch (mechanism) {
    case 'plain':
      return { mechanism, username, password };
    case 'scram-sha-256':
      return { mechanism, username, password };
    case 'scram-sha-512':
      return { mechanism, username, password };
  }
}
