import { SettingError } from '@milepost/service';
import { describe, expect, it } from 'vitest';
import {
  childEnvironment,
  databaseSettings,
  hasKafka,
  laneCount,
  loginPasswords,
  operatorToken,
  readsFrom,
  redisUrl,
  upSettings,
} from './config.ts';

describe("a command's settings", () => {
  it('have the documented defaults', () => {
    expect(upSettings(() => {}, {})).toEqual({
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
  });

  it('are refused when they are invalid, instead of being replaced by a default', () => {
    expect(() => upSettings(() => {}, { PORT: '80.5' })).toThrow(SettingError);
    expect(() => upSettings(() => {}, { PORT: '3001' })).toThrow('PORT and OPS_PORT must differ');
    expect(() => upSettings(() => {}, { SAMPLE_FLEET: 'of' })).toThrow(SettingError);
    expect(() => databaseSettings({ DATABASE_URL: 'localhost:5432' })).toThrow(SettingError);
  });

  it('pass the database to each child, and the operator token only to ops, whatever the environment contains', () => {
    const own = { DATABASE_URL: '', OPS_TOKEN: 'theirs', LOG_LEVEL: 'debug', OTHER: 'kept' };
    const shared = {
      DATABASE_URL: 'postgresql://a/b',
      SHUTDOWN_DELAY_SECONDS: '0',
      LOG_LEVEL: 'debug',
      OTHER: 'kept',
    };
    const options = { databaseUrl: 'postgresql://a/b', opsToken: 'mo_x', metricsPort: undefined };
    expect(childEnvironment({ ...options, name: 'ops' }, own)).toEqual({ ...shared, OPS_TOKEN: 'mo_x' });
    for (const name of ['api', 'ingest', 'projector'] as const) {
      expect(childEnvironment({ ...options, name }, own)).toEqual(shared);
    }
  });

  it('give each process of `up` its own port for metrics', () => {
    const settings = upSettings(() => {}, { METRICS_PORT: '9100', KAFKA_BROKERS: 'broker:9092' });
    expect(settings.metricsPorts).toEqual({ api: 9_100, projector: 9_101, ingest: 9_102 });
    expect(upSettings(() => {}, { METRICS_PORT: '9100' }).metricsPorts).toEqual({ api: 9_100, projector: 9_101 });
    const options = { databaseUrl: 'postgresql://a/b', opsToken: 'mo_x' };
    const ofProjector = childEnvironment(
      { ...options, name: 'projector', metricsPort: 9_101 },
      { METRICS_PORT: '9100' },
    );
    expect(ofProjector['METRICS_PORT']).toBe('9101');
    expect(
      childEnvironment({ ...options, name: 'ops', metricsPort: undefined }, { METRICS_PORT: '9100' }),
    ).not.toHaveProperty('METRICS_PORT');
    expect(() => upSettings(() => {}, { METRICS_PORT: '2999' })).toThrow(
      new SettingError(
        'METRICS_PORT and the two ports after it must differ from PORT and OPS_PORT, but 3000 does not.',
      ),
    );
  });

  it('are those of the environment where it sets them, and an empty one counts as not set', () => {
    const home = '/var/lib/milepost';
    const given = { HOST: '0.0.0.0', PORT: '1', OPS_PORT: '65535', OPS_TOKEN: 'mo_x', LANES: '4' };
    expect(upSettings(() => {}, { ...given, SAMPLE_FLEET: 'off', MILEPOST_HOME: home })).toMatchObject({
      host: '0.0.0.0',
      port: 1,
      opsPort: 65_535,
      opsToken: 'mo_x',
      lanes: 4,
      sampleFleet: false,
      home,
    });
    const empty = { HOST: '', PORT: '', OPS_PORT: '', OPS_TOKEN: '', LANES: '', SAMPLE_FLEET: '', MILEPOST_HOME: '' };
    expect(upSettings(() => {}, { ...empty, KAFKA_BROKERS: '', METRICS_PORT: '', DATABASE_URL: '' })).toEqual(
      upSettings(() => {}, {}),
    );
  });

  it('have limits, both of which are valid values', () => {
    expect(['1', '64'].map((LANES) => laneCount({ LANES }))).toEqual([1, 64]);
    for (const LANES of ['0', '65', '1.5', 'two']) expect(() => laneCount({ LANES })).toThrow(SettingError);
    expect(upSettings(() => {}, { METRICS_PORT: '65533' }).metricsPorts).toEqual({ api: 65_533, projector: 65_534 });
    for (const METRICS_PORT of ['0', '65534'])
      expect(() => upSettings(() => {}, { METRICS_PORT })).toThrow(/METRICS_PORT/);
    for (const PORT of ['0', '65536']) expect(() => upSettings(() => {}, { PORT })).toThrow(/PORT/);
  });

  it('for metrics leave the port of the operators API free, and use only the ports of processes that start', () => {
    const used = (METRICS_PORT: string, others = {}) => upSettings(() => {}, { METRICS_PORT, ...others }).metricsPorts;
    expect(() => used('3001')).toThrow('must differ from PORT and OPS_PORT, but 3001 does not.');
    expect(() => used('2998', { KAFKA_BROKERS: 'broker:9092' })).toThrow('but 3000 does not.');
    expect(used('2998')).toEqual({ api: 2_998, projector: 2_999 });
    expect(used('3002')).toEqual({ api: 3_002, projector: 3_003 });
  });

  it('of `up` are reported together with those of its processes, which it tells whether there is Kafka', () => {
    const seen: boolean[] = [];
    upSettings((_settings, kafka) => seen.push(kafka), {});
    upSettings((_settings, kafka) => seen.push(kafka), { KAFKA_BROKERS: 'broker:9092' });
    expect(seen).toEqual([false, true]);
    const environment = { PORT: 'x', LANES: '0', API_PASSWORD: 'a b' };
    const read = () => upSettings(loginPasswords, environment);
    expect(read).toThrow(/PORT.*LANES.*API_PASSWORD/s);
  });

  it('of a child keep its own delay, level and other settings, but not the direct database of `up`', () => {
    const own = { SHUTDOWN_DELAY_SECONDS: '7', LOG_LEVEL: '', DATABASE_URL_DIRECT: 'postgresql://c/d', PORT: '8080' };
    const options = { databaseUrl: 'postgresql://a/b', opsToken: 'mo_x', metricsPort: undefined };
    expect(childEnvironment({ ...options, name: 'api' }, own)).toEqual({
      PORT: '8080',
      DATABASE_URL: 'postgresql://a/b',
      SHUTDOWN_DELAY_SECONDS: '7',
      LOG_LEVEL: 'warn',
    });
  });

  it('for the passwords of logins allow only characters that need no escape in a URL', () => {
    const given = { API_PASSWORD: 'aZ09._~-', OPS_PASSWORD: 'o', PROJECTOR_PASSWORD: 'p', INGEST_PASSWORD: 'i' };
    expect(loginPasswords(given)).toEqual({ api: 'aZ09._~-', ops: 'o', projector: 'p', ingest: 'i' });
    expect(loginPasswords({ API_PASSWORD: '' })).toEqual({});
    for (const text of ['a@b', 'a b', 'a/b', 'a%20', 'caf\u00e9', 'a\n']) {
      expect(() => loginPasswords({ INGEST_PASSWORD: text })).toThrow('INGEST_PASSWORD must consist of letters');
    }
  });

  it('that name other servers are undefined while they are empty', () => {
    expect([hasKafka({}), hasKafka({ KAFKA_BROKERS: '' }), hasKafka({ KAFKA_BROKERS: 'a:1' })]).toEqual([
      false,
      false,
      true,
    ]);
    const empty = { REDIS_URL: '', DATABASE_URL_READ: '', OPS_TOKEN: '' };
    expect([redisUrl(empty), readsFrom(empty), operatorToken(empty)]).toEqual([undefined, undefined, undefined]);
    expect(redisUrl({ REDIS_URL: 'rediss://cache:6380/1' })).toBe('rediss://cache:6380/1');
    const [DATABASE_URL, DATABASE_URL_READ] = ['postgres://primary/milepost', 'postgres://standby/milepost'];
    expect(readsFrom({ DATABASE_URL, DATABASE_URL_READ })).toContain('standby');
    expect(operatorToken({ OPS_TOKEN: 'mo_x' })).toBe('mo_x');
    expect(() => redisUrl({ REDIS_URL: 'http://cache' })).toThrow(SettingError);
  });
});
