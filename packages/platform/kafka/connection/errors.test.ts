import kafkajs from 'kafkajs';
import { expect, it } from 'vitest';
import { readKafkaConfig } from '../config.ts';
import { deniedTopic, findingOf, identityOf, isCoordinatorLoading, isOfGroup } from './errors.ts';

const BROKERS = { KAFKA_BROKERS: 'one:9092,two:9092' };
const config = readKafkaConfig(BROKERS);

/** A broker's error, as the client wraps it after its retries. */
function answered(type: string, message = 'It is refused') {
  const error = new kafkajs.KafkaJSProtocolError(Object.assign(new Error(message), { type, code: 1, retriable: true }));
  return new kafkajs.KafkaJSNumberOfRetriesExceeded(error, { retryCount: 5, retryTime: 1_000 });
}

it.each(['GROUP_LOAD_IN_PROGRESS', 'GROUP_COORDINATOR_NOT_AVAILABLE', 'NOT_COORDINATOR_FOR_GROUP'])(
  'a Kafka error %s is expected while the coordinator of a group starts',
  (type) => {
    expect(isCoordinatorLoading(answered(type))).toBe(true);
    expect(isOfGroup(answered(type))).toBe(true);
  },
);

it('a Kafka error concerns the group when the group is denied, and not when a topic is denied', () => {
  expect(isOfGroup(answered('GROUP_AUTHORIZATION_FAILED'))).toBe(true);
  expect(isCoordinatorLoading(answered('GROUP_AUTHORIZATION_FAILED'))).toBe(false);
  expect(isOfGroup(answered('TOPIC_AUTHORIZATION_FAILED'))).toBe(false);
  expect(isOfGroup('a text')).toBe(false);
});

it('a Kafka error names the brokers, and is one line', () => {
  const text =
    'Connection error: 408D09BE847F0000:error:0A000412:SSL routines:ssl3_read_bytes:ssl/tls alert bad certificate:../deps/openssl/record.c:918:SSL alert number 42\n';
  expect(findingOf(new Error(text), config)).toEqual({
    topic: null,
    isWarning: false,
    code: 'connection_failed',
    message:
      'Kafka at one:9092, two:9092 cannot be read: Connection error: ssl/tls alert bad certificate. The broker probably requires another certificate: set KAFKA_SSL_CERT_FILE and KAFKA_SSL_KEY_FILE.',
  });
  expect(findingOf(new Error('It is away.'), config).message).toMatch(/cannot be read: It is away\.$/);
});

it('a Kafka error names the client as the brokers know it', () => {
  const oauth = {
    KAFKA_SASL_MECHANISM: 'oauthbearer',
    KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL: 'https://login/',
    KAFKA_SASL_OAUTHBEARER_CLIENT_ID: 'bob',
    KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET: 'hush',
  };
  expect(identityOf(readKafkaConfig({ ...BROKERS, ...oauth }))).toBe('The client "bob"');
  expect(identityOf({ ...config, ssl: { ca: undefined, cert: '', key: '' } })).toBe(
    'The certificate of KAFKA_SSL_CERT_FILE',
  );
  expect(deniedTopic('trips', config).message).toMatch(
    /^An anonymous client lacks the READ permission on topic "trips"/,
  );
});

const login = { KAFKA_SASL_USERNAME: 'me', KAFKA_SASL_PASSWORD: 'hush' };

// `test/faults/kafka-permissions.test.ts` tests the errors whose messages name other settings.
it.each([
  [{ KAFKA_SSL: 'true' }, /: Closed connection\. If it expects a login, set KAFKA_SASL_MECHANISM /],
  [login, /: Closed connection\.$/],
])('a Kafka error names no setting that is already right: %j', (settings, message) => {
  const closed = new Error('Closed connection');
  expect(findingOf(closed, readKafkaConfig({ ...BROKERS, ...settings })).message).toMatch(message);
});

it('a Kafka error names the group and the login when the group is denied', () => {
  const named = readKafkaConfig({ ...BROKERS, ...login, KAFKA_GROUP_ID: 'other' });
  expect(findingOf(answered('GROUP_AUTHORIZATION_FAILED'), named)).toEqual({
    topic: null,
    isWarning: false,
    code: 'group_denied',
    message: 'The login "me" lacks the READ permission on consumer group "other". Grant it.',
  });
});
