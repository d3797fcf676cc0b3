import { describe, expect, it } from 'vitest';
import { readKafkaConfig } from './config.ts';

const BROKERS = { KAFKA_BROKERS: 'one:9092, two:9093' };

describe('the settings of Kafka', () => {
  it('name the brokers, and topics and group unless told otherwise', () => {
    expect(readKafkaConfig(BROKERS)).toMatchObject({
      brokers: ['one:9092', 'two:9093'],
      ssl: false,
      sasl: null,
      groupId: 'milepost',
      tripsTopic: 'milepost.trips',
      driversTopic: 'milepost.drivers',
    });
  });

  it.each([{}, { KAFKA_BROKERS: 'one' }, { KAFKA_BROKERS: 'one:9092,' }, { KAFKA_BROKERS: 'http://one:9092' }])(
    'refuse %j with an example of what is right',
    (environment) => expect(() => readKafkaConfig(environment)).toThrow(/KAFKA_BROKERS.*host:port/),
  );

  it('take a login whole or not at all', () => {
    const login = { KAFKA_SASL_USERNAME: 'me', KAFKA_SASL_PASSWORD: 'secret', KAFKA_SASL_MECHANISM: 'scram-sha-512' };
    expect(readKafkaConfig({ ...BROKERS, ...login, KAFKA_SSL: 'true' })).toMatchObject({
      ssl: true,
      sasl: { mechanism: 'scram-sha-512', username: 'me', password: 'secret' },
    });
    expect(() => readKafkaConfig({ ...BROKERS, KAFKA_SASL_USERNAME: 'me' })).toThrow(/set both or neither/);
    expect(() => readKafkaConfig({ ...BROKERS, ...login, KAFKA_SASL_MECHANISM: 'gssapi' })).toThrow(/scram-sha-256/);
  });
});
