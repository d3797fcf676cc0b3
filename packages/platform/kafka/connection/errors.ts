import { messageOf } from '@milepost/service';
import type { KafkaConfig } from '../config.ts';
import type { KafkaFinding } from './findings.ts';

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

/** Returns the name of a broker's error, such as TOPIC_AUTHORIZATION_FAILED; null if the brokers have not responded. */
export function protocolErrorOf(error: unknown): string | null {
  return textOf(error, 'type')[0] ?? null;
}

/** Names the client by the identity that the brokers see, in words that can begin a sentence. */
export function identityOf({ sasl, ssl }: KafkaConfig): string {
  if (sasl?.mechanism === 'oauthbearer') return `The client "${sasl.clientId}"`;
  if (sasl !== null) return `The login "${sasl.username}"`;
  const hasCertificate = typeof ssl === 'object' && ssl.cert !== undefined;
  return hasCertificate ? 'The certificate of KAFKA_SSL_CERT_FILE' : 'An anonymous client';
}

/** The brokers return these errors while a group is being created or is moving to another broker. */
const LOADING: readonly string[] = [
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
];

/** Whether the error is normal while a group's coordinator is starting. */
export function isCoordinatorLoading(error: unknown): boolean {
  return LOADING.includes(protocolErrorOf(error) ?? '');
}

/** Whether the error affects the whole group rather than a single source. */
export function isOfGroup(error: unknown): boolean {
  return isCoordinatorLoading(error) || protocolErrorOf(error) === 'GROUP_AUTHORIZATION_FAILED';
}

/** The settings that probably resolve an error, by the error's type, name, code or message. */
const REMEDIES: readonly [RegExp, string][] = [
  [/UNSUPPORTED_SASL_MECHANISM/, 'Set KAFKA_SASL_MECHANISM to a mechanism that this port supports.'],
  [/ILLEGAL_SASL_STATE/, 'This port does not expect a login: remove the KAFKA_SASL_* settings.'],
  [/KafkaJSSASLAuthenticationError/, 'Check the KAFKA_SASL_* settings.'],
  [
    /UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|SELF_SIGNED_CERT/,
    "Set KAFKA_SSL_CA_FILE to the certificate of the brokers' CA.",
  ],
  [
    /before secure TLS connection|wrong version number/,
    'This port probably does not expect TLS: use the port for TLS, or set KAFKA_SSL=false.',
  ],
  [
    /alert (bad certificate|certificate required|unknown ca|handshake failure)/,
    'The broker probably requires another certificate: set KAFKA_SSL_CERT_FILE and KAFKA_SSL_KEY_FILE.',
  ],
];

/** Returns the setting that probably resolves an error; null for errors whose message already says what to do. */
function remedyOf(error: unknown, { sasl, ssl }: KafkaConfig): string | null {
  const message = messageOf(error);
  const texts = [...textOf(error, 'type'), ...textOf(error, 'name'), ...textOf(error, 'code'), message];
  const known = REMEDIES.find(([cause]) => texts.some((text) => cause.test(text)));
  if (known !== undefined) return known[1];
  if (!message.includes('Closed connection') || sasl !== null) return null;
  const tls = ssl === false ? 'If this port expects TLS, set KAFKA_SSL=true. ' : '';
  return `${tls}If it expects a login, set KAFKA_SASL_MECHANISM and the login.`;
}

/** Returns the first line of a message, without the source locations that OpenSSL adds around the text. */
function firstLine(message: string): string {
  const [line = ''] = message.split('\n');
  return line
    .replace(/^(Connection error: )?[0-9A-F]{8,}:error:[^:]*:[^:]*:[^:]*:([^:]*):.*$/, '$1$2')
    .replace(/\.$/, '');
}

function denial(what: string, config: KafkaConfig): string {
  return `${identityOf(config)} lacks the READ permission on ${what}. Grant it.`;
}

/** Returns a connection or group error as a finding. */
export function findingOf(error: unknown, config: KafkaConfig): KafkaFinding {
  const common = { topic: null, isWarning: false };
  if (protocolErrorOf(error) === 'GROUP_AUTHORIZATION_FAILED') {
    return { ...common, code: 'group_denied', message: denial(`consumer group "${config.groupId}"`, config) };
  }
  const remedy = remedyOf(error, config);
  const reason = `Kafka at ${config.brokers.join(', ')} cannot be read: ${firstLine(messageOf(error))}.`;
  return { ...common, code: 'connection_failed', message: remedy === null ? reason : `${reason} ${remedy}` };
}

/** Returns the missing permission on a topic as a finding. */
export function deniedTopic(topic: string, config: KafkaConfig): KafkaFinding {
  return { topic, code: 'topic_denied', isWarning: false, message: denial(`topic "${topic}"`, config) };
}
