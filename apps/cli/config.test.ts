import { SettingError } from '@milepost/service';
import { expect, it } from 'vitest';
import { childEnvironment, databaseSettings, laneCount, loginPasswords, redisUrl, upSettings } from './config.ts';

const up = (environment: Record<string, string>) => upSettings(() => {}, environment);

it('the settings of `up` have the documented defaults, and an empty setting counts as not set', () => {
  expect(up({})).toEqual({
    databaseUrl: undefined,
    home: `${process.cwd()}/.milepost`,
    host: '127.0.0.1',
    port: 3000,
    opsPort: 3001,
    opsToken: undefined,
    metricsPorts: {},
    sampleFleet: true,
    kafka: false,
  });
  const empty = { HOST: '', PORT: '', OPS_PORT: '', OPS_TOKEN: '', LANES: '', SAMPLE_FLEET: '', MILEPOST_HOME: '' };
  expect(up({ ...empty, KAFKA_BROKERS: '', METRICS_PORT: '', DATABASE_URL: '' })).toEqual(up({}));
});

it('`up` reads its settings from the environment', () => {
  const given = { HOST: '0.0.0.0', PORT: '1', OPS_PORT: '65535', OPS_TOKEN: 'mo_x', LANES: '4', SAMPLE_FLEET: 'off' };
  expect(up({ ...given, MILEPOST_HOME: '/var/lib/milepost' })).toMatchObject({
    host: '0.0.0.0',
    port: 1,
    opsPort: 65_535,
    opsToken: 'mo_x',
    lanes: 4,
    sampleFleet: false,
    home: '/var/lib/milepost',
  });
});

it.each([
  [{ PORT: '80.5' }, /PORT/],
  [{ PORT: '65536' }, /PORT/],
  [{ PORT: '0' }, 'PORT must be a whole number from 1 to 65535'],
  [{ PORT: '3001' }, 'PORT and OPS_PORT must differ'],
  [{ SAMPLE_FLEET: 'of' }, /SAMPLE_FLEET/],
  [{ METRICS_PORT: '65534' }, /METRICS_PORT/],
  [{ METRICS_PORT: '3001' }, 'must differ from PORT and OPS_PORT, but 3001 does not.'],
  [{ METRICS_PORT: '2998', KAFKA_BROKERS: 'broker:9092' }, 'but 3000 does not.'],
])('the settings %j of `up` are refused', (environment, message) => expect(() => up(environment)).toThrow(message));

it('other settings are refused when they are invalid', () => {
  for (const LANES of ['0', '65', '1.5', 'two']) expect(() => laneCount({ LANES })).toThrow(SettingError);
  expect(['1', '64'].map((LANES) => laneCount({ LANES }))).toEqual([1, 64]);
  expect(() => databaseSettings({ DATABASE_URL: 'localhost:5432' })).toThrow(SettingError);
  expect(() => redisUrl({ REDIS_URL: 'http://cache' })).toThrow(SettingError);
  for (const text of ['a@b', 'a b', 'a%20', 'caf\u00e9', 'a\n']) {
    expect(() => loginPasswords({ INGEST_PASSWORD: text })).toThrow('INGEST_PASSWORD must consist of letters');
  }
  expect(loginPasswords({ API_PASSWORD: 'aZ09._~-', OPS_PASSWORD: '' })).toEqual({ api: 'aZ09._~-' });
});

it("`up` reads ingest's settings only if Kafka is used", () => {
  const seen: boolean[] = [];
  for (const environment of [{}, { KAFKA_BROKERS: 'broker:9092' }])
    upSettings((_settings, kafka) => seen.push(kafka), environment);
  expect(seen).toEqual([false, true]);
});

it('each process that `up` starts has its own metrics port', () => {
  expect(up({ METRICS_PORT: '2998' }).metricsPorts).toEqual({ api: 2_998, projector: 2_999 });
  const { metricsPorts } = up({ METRICS_PORT: '9100', KAFKA_BROKERS: 'broker:9092' });
  expect(metricsPorts).toEqual({ api: 9_100, projector: 9_101, ingest: 9_102 });
});

it('a process of `up` gets its database, its metrics port and its own settings, and only ops gets the token', () => {
  const environment = {
    DATABASE_URL: '',
    DATABASE_URL_DIRECT: 'postgresql://c/d',
    METRICS_PORT: '9100',
    OPS_TOKEN: 'theirs',
    SHUTDOWN_DELAY_SECONDS: '7',
    LOG_LEVEL: '',
    OTHER: 'kept',
  };
  const common = { databaseUrl: 'postgresql://a/b', opsToken: 'mo_x' };
  const given = { DATABASE_URL: 'postgresql://a/b', SHUTDOWN_DELAY_SECONDS: '7', LOG_LEVEL: 'warn', OTHER: 'kept' };
  expect(childEnvironment({ ...common, name: 'ops', metricsPort: undefined }, environment)).toEqual({
    ...given,
    OPS_TOKEN: 'mo_x',
  });
  expect(childEnvironment({ ...common, name: 'projector', metricsPort: 9_101 }, environment)).toEqual({
    ...given,
    METRICS_PORT: '9101',
  });
});
