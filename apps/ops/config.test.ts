import { expect, it } from 'vitest';
import { readConfig } from './config.ts';

// Compose files pass an empty token.
it.each([{}, { OPS_TOKEN: '' }])(
  'the settings of ops have defaults for everything except the token: %j',
  (environment) => {
    const defaults = { host: '127.0.0.1', port: 3001, token: undefined, kafka: undefined, maximumLagSeconds: 60 };
    expect(readConfig(environment)).toMatchObject(defaults);
  },
);

it('the settings of ops keep trips forever if the value is 0, and otherwise as long as requests can name them', () => {
  const daysOf = (days: string) => readConfig({ TRIP_RETENTION_DAYS: days }).retention.tripRetentionDays;
  expect(['', '0', '200', '100000'].map(daysOf)).toEqual([null, null, 200, 100_000]);
  for (const days of ['1', '199']) expect(() => daysOf(days)).toThrow(/^TRIP_RETENTION_DAYS must be 0 .* at least 200/);
});

it('the settings of ops keep replaced generations for a week, or for the given number of days, which may be 0', () => {
  const daysOf = (days: string) => readConfig({ REPLACED_GENERATION_DAYS: days }).retention.replacedGenerationDays;
  expect(['', '0', '30'].map(daysOf)).toEqual([7, 0, 30]);
});

it('the settings of ops run an audit every hour, or at the given interval', () => {
  const minutesOf = (minutes: string) => readConfig({ AUDIT_INTERVAL_MINUTES: minutes }).auditIntervalMinutes;
  expect(['', '5'].map(minutesOf)).toEqual([60, 5]);
});

it('the settings of ops follow the environment, and do not use the settings of the API', () => {
  const token = 'x'.repeat(256);
  const ofApi = { PORT: '8', PUBLIC_URL: 'https://b.org' };
  const own = {
    HOST: '0.0.0.0',
    OPS_PORT: '9',
    OPS_PUBLIC_URL: 'https://a.org/',
    REQUEST_LOG: 'off',
    OPS_TOKEN: token,
  };
  const read = { host: '0.0.0.0', port: 9, publicUrl: 'https://a.org', requestLog: false, token };
  expect(readConfig({ ...ofApi, ...own })).toMatchObject(read);
  // Replays need sessions, so the process does not use a pooler.
  const pooler = { DATABASE_URL: 'postgres://u@pooler/d', DATABASE_URL_DIRECT: 'postgres://u@server/d' };
  expect(readConfig(pooler).databaseUrl).toBe('postgres://u@server/d');
});

it.each([
  ['a token that no header can carry', { OPS_TOKEN: 'two words' }, /^OPS_TOKEN must be/],
  ['a token that no header can carry', { OPS_TOKEN: 'zoë' }, /^OPS_TOKEN must be/],
  ['a token that is too long', { OPS_TOKEN: 'x'.repeat(257) }, /^OPS_TOKEN must be/],
  ['a port', { OPS_PORT: '99999' }, /^OPS_PORT must be/],
  ['an interval', { AUDIT_INTERVAL_MINUTES: '0' }, /^AUDIT_INTERVAL_MINUTES must be/],
  ['a lag', { MAXIMUM_LAG_SECONDS: '0' }, /^MAXIMUM_LAG_SECONDS must be/],
  ['brokers', { KAFKA_BROKERS: 'kafka' }, /^KAFKA_BROKERS must/],
])('the settings of ops are refused with %s', (_what, environment, message) => {
  expect(() => readConfig(environment)).toThrow(message);
});
