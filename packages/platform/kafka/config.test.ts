import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readKafkaConfig } from './config.ts';

const BROKERS = { KAFKA_BROKERS: 'one:9092, two:9093' };
const LOGIN = { KAFKA_SASL_USERNAME: 'me', KAFKA_SASL_PASSWORD: 'secret' };

describe('the Kafka settings', () => {
  it('contain the brokers, and the default topics and consumer group', () => {
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
    'are refused with an example of valid brokers when they are %j',
    (environment) => expect(() => readKafkaConfig(environment)).toThrow(/KAFKA_BROKERS.*host:port/),
  );

  it('require both a user name and a password, or neither', () => {
    const login = { ...LOGIN, KAFKA_SASL_MECHANISM: 'scram-sha-512' };
    expect(readKafkaConfig({ ...BROKERS, ...login, KAFKA_SSL: 'true' })).toMatchObject({
      ssl: true,
      sasl: { mechanism: 'scram-sha-512', username: 'me', password: 'secret' },
    });
    expect(() => readKafkaConfig({ ...BROKERS, KAFKA_SASL_USERNAME: 'me' })).toThrow(/set both or neither/);
    expect(() => readKafkaConfig({ ...BROKERS, ...login, KAFKA_SASL_MECHANISM: 'gssapi' })).toThrow(/scram-sha-256/);
  });

  it.each(['plain', 'PLAIN', 'Scram-SHA-256', 'SCRAM-SHA-512'])('accept the mechanism %s', (mechanism) => {
    const environment = { ...BROKERS, ...LOGIN, KAFKA_SASL_MECHANISM: mechanism };
    expect(readKafkaConfig(environment).sasl).toMatchObject({ mechanism: mechanism.toLowerCase() });
  });

  it('refuse a mechanism without its login', () => {
    const environment = { ...BROKERS, KAFKA_SASL_MECHANISM: 'scram-sha-256' };
    expect(() => readKafkaConfig(environment)).toThrow(/needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD/);
  });
});

describe('the brokers', () => {
  it.each([
    ['[::1]:9092', ['[::1]:9092']],
    ['[2001:db8::7]:9092,two:9093', ['[2001:db8::7]:9092', 'two:9093']],
    ['PLAINTEXT://one:9092, plaintext://[::1]:9092', ['one:9092', '[::1]:9092']],
  ])('may be %s', (brokers, expected) => {
    expect(readKafkaConfig({ KAFKA_BROKERS: brokers }).brokers).toEqual(expected);
  });

  it('may have a prefix for the protocol that follows from the other settings', () => {
    const secure = { KAFKA_BROKERS: 'SASL_SSL://one:9094', KAFKA_SSL: 'true', ...LOGIN };
    expect(readKafkaConfig(secure).brokers).toEqual(['one:9094']);
  });

  it.each([
    ['SSL://one:9093', {}, /prefix SSL:\/\/.* are set for PLAINTEXT:/],
    ['PLAINTEXT://one:9093', { KAFKA_SSL: 'true' }, / are set for SSL:/],
    ['PLAINTEXT://one:9093', LOGIN, / are set for SASL_PLAINTEXT:/],
    ['::1:9092', {}, /IPv6 address in brackets/],
    ['[::g]:9092', {}, /host:port/],
    ['one:0', {}, /host:port/],
    ['one:65536', {}, /host:port/],
  ])('are refused as %s with %j', (brokers, others, message) => {
    expect(() => readKafkaConfig({ KAFKA_BROKERS: brokers, ...others })).toThrow(message);
  });
});

describe('the OAUTHBEARER settings', () => {
  const OAUTH = {
    ...BROKERS,
    KAFKA_SASL_MECHANISM: 'OAUTHBEARER',
    KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL: 'https://login.example.com/token',
    KAFKA_SASL_OAUTHBEARER_CLIENT_ID: 'milepost',
    KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET: 'secret',
  };

  it('name endpoint, client, scope and extensions', () => {
    const more = {
      KAFKA_SASL_OAUTHBEARER_SCOPE: 'kafka',
      KAFKA_SASL_OAUTHBEARER_EXTENSIONS: 'logicalCluster=lkc-1, identityPoolId=pool-2',
    };
    expect(readKafkaConfig({ ...OAUTH, ...more }).sasl).toEqual({
      mechanism: 'oauthbearer',
      tokenEndpoint: 'https://login.example.com/token',
      clientId: 'milepost',
      clientSecret: 'secret',
      scope: 'kafka',
      extensions: { logicalCluster: 'lkc-1', identityPoolId: 'pool-2' },
    });
  });

  it.each([
    [{ KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET: '' }, /oauthbearer also needs KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET/],
    [{ KAFKA_SASL_USERNAME: 'me' }, /KAFKA_SASL_USERNAME cannot be used with KAFKA_SASL_MECHANISM=oauthbearer/],
    [{ KAFKA_SASL_MECHANISM: '' }, /_TOKEN_ENDPOINT_URL cannot be used with KAFKA_SASL_MECHANISM=plain/],
    [{ KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL: 'https://me:hush@login/' }, /^(?!.*hush).*without a login/],
    [{ KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL: 'login.example.com' }, /must be an address such as https:/],
    [{ KAFKA_SASL_OAUTHBEARER_EXTENSIONS: 'auth=x' }, /_EXTENSIONS must be pairs/],
  ])('are refused with %j', (wrong, message) => {
    expect(() => readKafkaConfig({ ...OAUTH, ...wrong })).toThrow(message);
  });
});

describe('the TLS files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'milepost-tls-settings-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const keystore = join(folder, 'keystore.jks');
  writeFileSync(keystore, '\u00fe\u00ed\u00fe\u00ed');

  it.each([
    [{ KAFKA_SSL: '', KAFKA_SSL_CA_FILE: keystore }, /KAFKA_SSL_CA_FILE needs KAFKA_SSL=true/],
    [{ KAFKA_SSL_CA_FILE: '/never/there.pem' }, /KAFKA_SSL_CA_FILE must name a file.*ENOENT/],
    [{ KAFKA_SSL_CA_FILE: keystore }, /KAFKA_SSL_CA_FILE must name a certificate in PEM format/],
    [{ KAFKA_SSL_CERT_FILE: keystore }, /KAFKA_SSL_CERT_FILE and KAFKA_SSL_KEY_FILE belong together/],
    [
      { KAFKA_SSL_CERT_FILE: keystore, KAFKA_SSL_KEY_FILE: keystore },
      /KAFKA_SSL_KEY_FILE must name the private key of KAFKA_SSL_CERT_FILE/,
    ],
  ])('are refused when they are %j', (files, message) => {
    expect(() => readKafkaConfig({ ...BROKERS, KAFKA_SSL: 'true', ...files })).toThrow(message);
  });
});
