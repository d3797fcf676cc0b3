import { expect, it } from 'vitest';
import { databaseUrl, standbyUrl } from './process-settings.ts';
import { type Environment, readSettings, SettingError } from './read-settings.ts';

const readUrl = (environment: Environment, use: 'pooled' | 'direct') =>
  readSettings(environment, (settings) => databaseUrl(settings, use));
const readStandbys = (environment: Environment) => readSettings(environment, standbyUrl);
const read = (url: string) => readUrl({ DATABASE_URL: url }, 'direct');

it.each([
  ...['postgres://a@b/c', 'postgres://u@[::1]:1/d', 'postgres://h:65535/d'],
  ...['disable', 'require', 'no-verify', 'verify-full', 'verify-ca&sslrootcert=/ca.pem'].map(
    (mode) => `postgresql://u:p@h:5432/d?sslmode=${mode}`,
  ),
  ...['any', 'read-write', 'primary'].map((target) => `postgres://u@h/d?target_session_attrs=${target}`),
])('DATABASE_URL is kept as it is: %s', (url) => {
  expect(read(url)).toBe(url);
});

it('DATABASE_URL may name several hosts', () => {
  expect(read('postgres://u:p@one:5432,two,[::1]:5434/d?target_session_attrs=read-write')).toBe(
    'postgres://u:p@one:5432/d?target_session_attrs=read-write&other_hosts=two%2C%5B%3A%3A1%5D%3A5434',
  );
});

it.each([
  ['mysql://u:secret@h/d', 'an address such as'],
  ['postgres://u:secret@/d', 'an address such as'],
  ['postgres://u:secret@one,,two/d', 'an address such as'],
  ['postgres://u:secret@h:65536/d', 'an address such as'],
  ['postgres://u:secret@one,two:65536/d', 'an address such as'],
  ['postgres://u:secret#@h/d', 'an address such as'],
  ['postgres://u:1#secret@h/d', 'an address such as'],
  ['postgres://secret#@h/d', 'an address such as'],
  ['postgres://u:secret@h h/d', 'an address such as'],
  ['postgres://u:secret@h/d?sslmode=prefer', 'sslmode=prefer, which may connect without TLS'],
  ['postgres://u:secret@h/d?sslmode=verify-ca', 'without sslrootcert'],
  ['postgres://u:secret@h/d?target_session_attrs=standby', 'a server that accepts writes'],
])('DATABASE_URL is refused, and not repeated: %s', (url, sentence) => {
  expect(() => read(url)).toThrow(SettingError);
  expect(() => read(url)).toThrow(sentence);
  expect(() => read(url)).toThrow(/^(?!.*secret)/);
});

const environment = { DATABASE_URL: 'postgres://u@pooler/d', DATABASE_URL_DIRECT: 'postgres://u@server/d' };

it('DATABASE_URL_DIRECT declares a pooler in transaction mode, and is used by processes that need sessions', () => {
  expect(readUrl(environment, 'pooled')).toBe('postgres://u@pooler/d?pool_mode=transaction');
  expect(readUrl(environment, 'direct')).toBe('postgres://u@server/d');
});

it('DATABASE_URL_DIRECT is refused without DATABASE_URL', () => {
  const { DATABASE_URL_DIRECT } = environment;
  expect(() => readUrl({ DATABASE_URL_DIRECT }, 'pooled')).toThrow('without DATABASE_URL');
});

const readFrom = (url: string) => readStandbys({ DATABASE_URL: 'postgres://u@primary/d', DATABASE_URL_READ: url });

it.each(['', '?target_session_attrs=any', '?target_session_attrs=prefer-standby', '?target_session_attrs=read-only'])(
  'DATABASE_URL_READ leads only to standbys: %s',
  (parameters) => {
    expect(readFrom(`postgres://u@standby/d${parameters}`)).toBe('postgres://u@standby/d?target_session_attrs=standby');
  },
);

it('DATABASE_URL_READ is refused if it asks for a primary, and without DATABASE_URL', () => {
  expect(() => readFrom('postgres://u@standby/d?target_session_attrs=read-write')).toThrow(
    'Milepost needs a standby: use standby',
  );
  expect(() => readStandbys({ DATABASE_URL_READ: 'postgres://u@standby/d' })).toThrow('without DATABASE_URL');
});
