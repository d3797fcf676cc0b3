import { expect, it } from 'vitest';
import { metricsAddress, processSettings } from './process-settings.ts';
import { type Environment, readSettings } from './read-settings.ts';

const readAddress = (environment: Environment) => readSettings(environment, metricsAddress);
const read = (environment: Environment, use: 'pooled' | 'direct') =>
  readSettings(environment, (settings) => processSettings(settings, use));

it('a process serves metrics only if METRICS_PORT is set, on the host in HOST', () => {
  expect(readAddress({ HOST: '0.0.0.0' })).toBeUndefined();
  expect(readAddress({ HOST: '0.0.0.0', METRICS_PORT: '' })).toBeUndefined();
  expect(readAddress({ METRICS_PORT: '9100' })).toEqual({ host: '127.0.0.1', port: 9_100 });
  expect(readAddress({ HOST: '0.0.0.0', METRICS_PORT: '0' })).toEqual({ host: '0.0.0.0', port: 0 });
});

it('the settings of every process follow the environment', () => {
  const environment = { MILEPOST_HOME: '/data', LOG_LEVEL: 'debug', DATABASE_URL: 'postgres://u@h/d' };
  const settings = { home: '/data', logLevel: 'debug', databaseUrl: 'postgres://u@h/d', tracing: undefined };
  expect(read(environment, 'pooled')).toEqual(settings);
  const pooler = { ...environment, DATABASE_URL_DIRECT: 'postgres://u@direct/d' };
  expect(read(pooler, 'direct').databaseUrl).toBe('postgres://u@direct/d');
  expect(read(pooler, 'pooled').databaseUrl).toBe('postgres://u@h/d?pool_mode=transaction');
});
