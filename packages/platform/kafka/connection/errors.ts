import type { KafkaFinding } from '@milepost/event-log';
import { messageOf } from '@milepost/service';
import type { KafkaConfig } from '../config.ts';

/** Yields an error and its causes, because the client wraps a broker's error in the errors of its own retries. */
export function* causesOf(error: unknown): Generator<object> {
  for (let cause = error; typeof cause === 'object' && cause !== null; ) {
    yield cause;
    cause = 'cause' in cause ? cause.cause : null;
  }
}

function textOf(error: unknown, field: 'type' | 'code' | 'name'): string[] {
  return Array.from(causesOf(error), (cause) => {
    const value: unknown = Reflect.get(cause, field);
    return typeof value === 'string' ? value : '';
  }).filter((text) => text !== '');
}

/**
 * Returns the name of the error in a broker's response, such as TOPIC_AUTHORIZATION_FAILED; null if there was no
 * response.
 */
export function protocolErrorOf(error: unknown): string | null {
  return textOf(error, 'type')[0] ?? null;
}

/** Returns the client as the brokers see it, as the subject of a sentence. */
export function identityOf({ sasl, ssl }: KafkaConfig): string {
  if (sasl?.mechanism === 'oauthbearer') return `The client "${sasl.clientId}"`;
  if (sasl !== null) return `The login "${sasl.username}"`;
  const hasCertificate = typeof ssl === 'object' && ssl.cert !== undefined;
  return hasCertificate ? 'The certificate of KAFKA_SSL_CERT_FILE' : 'An anonymous client';
}

/** The brokers return these errors while a group is created, or moves to another broker. */
const LOADING: readonly string[] = [
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
];

/** Whether the error is usual while a group's coordinator starts. */
export function isCoordinatorLoading(error: unknown): boolean {
  return LOADING.includes(protocolErrorOf(error) ?? '');
}

/** Whether the error concerns the whole group rather than a single source. */
export function isOfGroup(error: unknown): boolean {
  return isCoordinatorLoading(error) || protocolErrorOf(error) === 'GROUP_AUTHORIZATION_FAILED';
}

const UNKNOWN_CA: readonly string[] = [
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
];

/** Returns the setting that probably resolves an error; null for errors whose message already says what to do. */
function remedyOf(error: unknown, { sasl, ssl }: KafkaConfig): string | null {
  const message = messageOf(error);
  const type = protocolErrorOf(error);
  if (type === 'UNSUPPORTED_SASL_MECHANISM') return 'Set KAFKA_SASL_MECHANISM to one that this port supports.';
  if (type === 'ILLEGAL_SASL_STATE') return 'This port expects no login: remove the settings KAFKA_SASL_*.';
  if (textOf(error, 'name').includes('KafkaJSSASLAuthenticationError')) return 'Check the settings KAFKA_SASL_*.';
  if (textOf(error, 'code').some((code) => UNKNOWN_CA.includes(code))) {
    return 'Set KAFKA_SSL_CA_FILE to the certificate of the CA of the brokers.';
  }
  if (/before secure TLS connection|wrong version number/.test(message)) {
    return 'This port probably expects no TLS: use the port for TLS, or set KAFKA_SSL=false.';
  }
  if (/alert (bad certificate|certificate required|unknown ca|handshake failure)/.test(message)) {
    return 'The broker probably requires another certificate: set KAFKA_SSL_CERT_FILE and KAFKA_SSL_KEY_FILE.';
  }
  if (/Closed connection/.test(message) && sasl === null && ssl === false) {
    return 'If this port expects TLS, set KAFKA_SSL=true; if it expects a login, set KAFKA_SASL_MECHANISM and the login.';
  }
  if (/Closed connection/.test(message) && sasl === null) {
    return 'If this port expects a login, set KAFKA_SASL_MECHANISM and the login.';
  }
  return null;
}

/**
 * Returns the first line of a message, without the locations in its own source code that OpenSSL adds around the text.
 */
function firstLine(message: string): string {
  const [line = ''] = message.split('\n');
  return line
    .replace(/^(Connection error: )?[0-9A-F]{8,}:error:[^:]*:[^:]*:[^:]*:([^:]*):.*$/, '$1$2')
    .replace(/\.$/, '');
}

/** Returns an error of the connection or the group as a finding. */
export function findingOf(error: unknown, config: KafkaConfig): KafkaFinding {
  const common = { topic: null, isWarning: false };
  if (protocolErrorOf(error) === 'GROUP_AUTHORIZATION_FAILED') {
    const group = `the consumer group "${config.groupId}"`;
    const message = `${identityOf(config)} lacks the permission READ on ${group}. Grant it.`;
    return { ...common, code: 'group_denied', message };
  }
  const remedy = remedyOf(error, config);
  const reason = `Kafka at ${config.brokers.join(', ')} cannot be read: ${firstLine(messageOf(error))}.`;
  return { ...common, code: 'connection_failed', message: remedy === null ? reason : `${reason} ${remedy}` };
}

/** Returns the missing permission on a topic as a finding. */
export function deniedTopic(topic: string, config: KafkaConfig): KafkaFinding {
  const message = `${identityOf(config)} lacks the permission READ on the topic "${topic}". Grant it.`;
  return { topic, code: 'topic_denied', isWarning: false, message };
}
