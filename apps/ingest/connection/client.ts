import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Logger } from '@milepost/service';
import { type ISocketFactory, Kafka, type KafkaConfig as KafkaOptions, logLevel, type SASLOptions } from 'kafkajs';
import type { KafkaConfig } from '../config.ts';
import { decodeHost, encodeBroker } from './ipv6.ts';
import { createTokenSource, RENEWAL_MILLISECONDS } from './oauth-token.ts';

const LEVELS = {
  [logLevel.NOTHING]: 'silent',
  // Each of these messages is followed by an error that ingest handles and reports.
  [logLevel.ERROR]: 'debug',
  [logLevel.WARN]: 'debug',
  [logLevel.INFO]: 'debug',
  [logLevel.DEBUG]: 'debug',
} as const;

/**
 * A broker that hangs is detected after this time. Kafka has then replaced it, after 9 s
 * (`broker.session.timeout.ms`): a shorter timeout would connect to the same broker again.
 */
const REQUEST_TIMEOUT_MILLISECONDS = 10_000;
const KEEP_ALIVE_MILLISECONDS = 60_000;

/** The first two bytes of an alert in TLS. */
const TLS_ALERT = Buffer.from([0x15, 0x03]);

/** Closes a plain connection to a port for TLS. The client would take the alert for the length of a response, and wait. */
function refuseTls(socket: Socket, bytes: Buffer): void {
  if (bytes.subarray(0, TLS_ALERT.length).equals(TLS_ALERT)) {
    socket.destroy(new Error('this port expects TLS, so set KAFKA_SSL=true'));
  }
}

/** Opens a connection as the client itself does, and in addition to hosts that stand for an IPv6 address. */
const openSocket: ISocketFactory = ({ host: name, port, ssl, onConnect }) => {
  const host = decodeHost(name);
  // The server name of a handshake must not be an address (RFC 6066, section 3).
  const servername = isIP(host) ? {} : { servername: host };
  const address = { host, port };
  const socket = ssl ? connectTls({ ...address, ...servername, ...ssl }, onConnect) : connectPlain(address, onConnect);
  if (!ssl) socket.once('data', (bytes: Buffer) => refuseTls(socket, bytes));
  return socket.setKeepAlive(true, KEEP_ALIVE_MILLISECONDS);
};

/** Returns the options with which each client connects. Each has a token source of its own. */
export function connectionOptions(config: KafkaConfig): Omit<KafkaOptions, 'logLevel' | 'logCreator'> {
  return {
    clientId: 'milepost-ingest',
    brokers: config.brokers.map(encodeBroker),
    ssl: config.ssl,
    ...(config.sasl ? { sasl: saslOptions(config.sasl) } : {}),
    socketFactory: openSocket,
    connectionTimeout: 5_000,
    requestTimeout: REQUEST_TIMEOUT_MILLISECONDS,
    reauthenticationThreshold: RENEWAL_MILLISECONDS,
    retry: { initialRetryTime: 200, maxRetryTime: 5_000, retries: 5 },
  };
}

/** Creates a client of the brokers that logs to `logger`. */
export function createKafkaClient(config: KafkaConfig, logger: Logger): Kafka {
  return new Kafka({
    ...connectionOptions(config),
    logLevel: logger.isLevelEnabled('debug') ? logLevel.DEBUG : logLevel.WARN,
    logCreator:
      () =>
      ({ level, log: { message, timestamp: _, logger: __, ...details } }) =>
        logger[LEVELS[level]]({ kafka: details }, message),
  });
}

/** Returns the fields of the login under the mechanism's own type, as the client requires. */
function saslOptions(sasl: NonNullable<KafkaConfig['sasl']>): SASLOptions {
  switch (sasl.mechanism) {
    case 'plain':
      return { mechanism: sasl.mechanism, username: sasl.username, password: sasl.password };
    case 'scram-sha-256':
      return { mechanism: sasl.mechanism, username: sasl.username, password: sasl.password };
    case 'scram-sha-512':
      return { mechanism: sasl.mechanism, username: sasl.username, password: sasl.password };
    case 'oauthbearer': {
      const token = createTokenSource(sasl);
      const { extensions } = sasl;
      const oauthBearerProvider = async () => ({ value: await token(), extensions });
      return { mechanism: sasl.mechanism, oauthBearerProvider };
    }
  }
}
