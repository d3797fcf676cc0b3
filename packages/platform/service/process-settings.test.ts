import { expect, it } from 'vitest';
import { logsRequests, metricsAddress, processSettings, publicUrl } from './process-settings.ts';

it('a process serves metrics only with METRICS_PORT, on the host of the process', () => {
  expect(metricsAddress({ HOST: '0.0.0.0' })).toBeUndefined();
  expect(metricsAddress({ HOST: '0.0.0.0', METRICS_PORT: '' })).toBeUndefined();
  expect(metricsAddress({ METRICS_PORT: '9100' })).toEqual({ host: '127.0.0.1', port: 9_100 });
  expect(metricsAddress({ HOST: '0.0.0.0', METRICS_PORT: '0' })).toEqual({ host: '0.0.0.0', port: 0 });
});

it.each([
  ['', ''],
  ['https://example.org', 'https://example.org'],
  ['https://example.org/', 'https://example.org'],
  ['http://example.org:8080/milepost//', 'http://example.org:8080/milepost'],
])('the public URL %j has no slash at the end', (text, url) => {
  expect(publicUrl({ PUBLIC_URL: text }, 'PUBLIC_URL')).toBe(url);
  expect(publicUrl({ PUBLIC_URL: text }, 'OPS_PUBLIC_URL')).toBe('');
});

it.each([
  'https://example.org/?a=1',
  'https://example.org/#a',
  'https://reader@example.org',
  'https://:pass@example.org',
])('the public URL %s is refused', (text) => {
  expect(() => publicUrl({ OPS_PUBLIC_URL: text }, 'OPS_PUBLIC_URL')).toThrow(/^OPS_PUBLIC_URL must be a URL without/);
});

it('a server logs its requests unless this is off', () => {
  expect([{}, { REQUEST_LOG: 'on' }, { REQUEST_LOG: 'off' }].map(logsRequests)).toEqual([true, true, false]);
});

it('the settings of every process follow the environment', () => {
  const environment = { MILEPOST_HOME: '/data', LOG_LEVEL: 'debug', DATABASE_URL: 'postgres://u@h/d' };
  const settings = { home: '/data', logLevel: 'debug', databaseUrl: 'postgres://u@h/d', tracing: undefined };
  expect(processSettings(environment, 'pooled')).toEqual(settings);
  const pooler = { ...environment, DATABASE_URL_DIRECT: 'postgres://u@direct/d' };
  expect(processSettings(pooler, 'direct').databaseUrl).toBe('postgres://u@direct/d');
  expect(processSettings(pooler, 'pooled').databaseUrl).toBe('postgres://u@h/d?pool_mode=transaction');
});
