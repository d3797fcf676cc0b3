import type { Logger } from '@milepost/service';
import {
  type Admin,
  type AdminConfig,
  type Consumer,
  type ConsumerConfig,
  Kafka,
  type KafkaConfig as KafkaOptions,
  logLevel,
  type SASLOptions,
} from 'kafkajs';
import type { KafkaConfig } from '../config.ts';
import { BrokerSockets, encodeBroker } from './broker-sockets.ts';
import { createTokenSource, RENEWAL_MILLISECONDS } from './oauth-token.ts';

/**
 * A broker that hangs is detected after this time. Kafka replaces such a broker after 9 s
 * (`broker.session.timeout.ms`), so with a shorter timeout, the client would connect to the same broker again.
 */
const REQUEST_TIMEOUT_MILLISECONDS = 10_000;

/**
 * Ends all connections to a broker as soon as one request to it times out, as Kafka's own clients do. The other
 * requests to a broker that hangs would otherwise time out one after another.
 */
export class KafkaClient extends Kafka {
  readonly #sockets: BrokerSockets;

  constructor(options: Omit<KafkaOptions, 'socketFactory'>, sockets = new BrokerSockets()) {
    super({ ...options, socketFactory: sockets.open });
    this.#sockets = sockets;
  }

  override consumer(options: ConsumerConfig): Consumer {
    const consumer = super.consumer(options);
    consumer.on(consumer.events.REQUEST_TIMEOUT, ({ payload }) => this.#sockets.end(payload.broker));
    return consumer;
  }

  override admin(options?: AdminConfig): Admin {
    const admin = super.admin(options);
    admin.on(admin.events.REQUEST_TIMEOUT, ({ payload }) => this.#sockets.end(payload.broker));
    return admin;
  }
}

/** Returns the connection options for a client. Each client has its own token source. */
export function connectionOptions(
  config: KafkaConfig,
): Omit<KafkaOptions, 'logLevel' | 'logCreator' | 'socketFactory'> {
  return {
    clientId: 'milepost-ingest',
    brokers: config.brokers.map(encodeBroker),
    ssl: config.ssl,
    ...(config.sasl ? { sasl: saslOptions(config.sasl) } : {}),
    connectionTimeout: 5_000,
    requestTimeout: REQUEST_TIMEOUT_MILLISECONDS,
    reauthenticationThreshold: RENEWAL_MILLISECONDS,
    retry: { initialRetryTime: 200, maxRetryTime: 5_000, retries: 5 },
  };
}

/** Creates a Kafka client that logs to `logger`. */
export function createKafkaClient(config: KafkaConfig, logger: Logger): Kafka {
  return new KafkaClient({
    ...connectionOptions(config),
    logLevel: logger.isLevelEnabled('debug') ? logLevel.DEBUG : logLevel.WARN,
    // Each message about a problem is followed by an error that ingest handles and reports.
    logCreator:
      () =>
      ({ log: { message, timestamp: _, logger: __, ...details } }) =>
        logger.debug({ kafka: details }, message),
  });
}

/** Returns the login in the form that the client requires. */
function saslOptions(sasl: NonNullable<KafkaConfig['sasl']>): SASLOptions {
  if (sasl.mechanism !== 'oauthbearer') {
    return { mechanism: sasl.mechanism, username: sasl.username, password: sasl.password };
  }
  const token = createTokenSource(sasl);
  const { extensions } = sasl;
  const oauthBearerProvider = async () => ({ value: await token(), extensions });
  return { mechanism: sasl.mechanism, oauthBearerProvider };
}
