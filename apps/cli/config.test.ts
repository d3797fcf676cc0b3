import { SettingError } from '@milepost/service';
import { describe, expect, it } from 'vitest';
import { childEnvironment, databaseSettings, upSettings } from './config.ts';

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
});
