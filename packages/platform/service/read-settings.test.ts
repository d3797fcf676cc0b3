import { describe, expect, it } from 'vitest';
import { type Environment, optionalText, readSettings, SettingError } from './read-settings.ts';
import type { SettingName, Values } from './settings.ts';

const read = <Name extends SettingName>(name: Name, text: string): Values[Name] =>
  readSettings({ [name]: text }, (settings) => settings.get(name));

describe('settings', () => {
  it('treats an empty variable as absent', () => {
    expect(optionalText({ HOST: '' }, 'HOST')).toBeUndefined();
    expect(read('PORT', '')).toBe(3000);
    expect(read('REDIS_URL', '')).toBeUndefined();
  });

  it.each(['-1', '65536', '3000x', '1e3', ' '])('refuses %j as a port, and names the setting and the range', (text) => {
    expect(() => read('PORT', text)).toThrow(SettingError);
    expect(() => read('PORT', text)).toThrow(/PORT.*0 to 65535/);
  });

  it('accepts both limits of a range, and returns the number', () => {
    expect(['0', '007', '65535'].map((text) => read('PORT', text))).toEqual([0, 7, 65_535]);
    expect(() => read('LANES', '0')).toThrow('from 1 to 64, but is "0"');
  });

  it('returns the given word rather than the default', () => {
    expect([read('LOG_LEVEL', 'debug'), read('LOG_LEVEL', '')]).toEqual(['debug', 'info']);
    expect(['true', 'false', ''].map((text) => read('KAFKA_SSL', text))).toEqual(['true', 'false', 'false']);
  });

  it('refuses a word that is not one of the choices', () => {
    expect(() => read('LOG_LEVEL', 'loud')).toThrow(/info, warn, .*, but is "loud"/);
    expect(() => read('KAFKA_SSL', 'yes')).toThrow(/true, false/);
  });

  it('never repeats the password of an invalid URL', () => {
    expect(() => read('REDIS_URL', 'http://root:secret@localhost/x')).toThrow(/^(?!.*secret).*redis:/);
    expect(read('REDIS_URL', 'rediss://a@b/c')).toBe('rediss://a@b/c');
  });

  it.each([
    ['', ''],
    ['https://example.org', 'https://example.org'],
    ['https://example.org/', 'https://example.org'],
    ['http://example.org:8080/milepost//', 'http://example.org:8080/milepost'],
  ])('remove the slash at the end of the public URL %j', (text, url) => {
    expect([read('PUBLIC_URL', text), read('OPS_PUBLIC_URL', text)]).toEqual([url, url]);
  });

  it.each([
    'https://example.org/?a=1',
    'https://example.org/#a',
    'https://reader@example.org',
    'https://:pass@example.org',
  ])('refuse the public URL %s', (text) => {
    expect(() => read('OPS_PUBLIC_URL', text)).toThrow(/^OPS_PUBLIC_URL must be a URL without/);
  });

  const readAll = (environment: Environment) =>
    readSettings(environment, (settings) => ({
      port: settings.get('PORT'),
      level: settings.get('LOG_LEVEL'),
      again: readSettings(settings, (same) => same.get('PORT')),
    }));

  it('are all reported together, each once, when they are invalid', () => {
    expect(() => readAll({ PORT: 'eighty', LOG_LEVEL: 'loud' })).toThrow(
      new SettingError(
        'PORT must be a whole number from 0 to 65535, but is "eighty". LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, but is "loud".',
      ),
    );
    expect(readAll({ PORT: '80' })).toEqual({ port: 80, level: 'info', again: 80 });
  });

  it.each([
    ['KAFKA_BROKER', 'KAFKA_BROKER is not a Milepost setting: did you mean KAFKA_BROKERS?'],
    ['RATE_LIMIT_PER_MINUT', 'RATE_LIMIT_PER_MINUT is not a Milepost setting: did you mean RATE_LIMIT_PER_MINUTE?'],
    ['OPS_TOKENS', 'OPS_TOKENS is not a Milepost setting: did you mean OPS_TOKEN?'],
    ['MILEPOST_FOLDER', 'MILEPOST_FOLDER is not a Milepost setting: did you mean MILEPOST_HOME?'],
    ['MILEPOST_COLOUR_OF_LOGS', 'MILEPOST_COLOUR_OF_LOGS is not a Milepost setting.'],
    ['DATABASE_URI', 'DATABASE_URI is not a Milepost setting: did you mean DATABASE_URL?'],
    ['REQUIRE_CONTENTTYPE', 'REQUIRE_CONTENTTYPE is not a Milepost setting: did you mean REQUIRE_CONTENT_TYPE?'],
  ])('report the unknown setting %s with the probable name, in addition to invalid settings', (name, sentence) => {
    expect(() => readAll({ [name]: 'x', PORT: 'y' })).toThrow(
      new SettingError(`${sentence} PORT must be a whole number from 0 to 65535, but is "y".`),
    );
    expect(readAll({ [name]: '' })).toMatchObject({ port: 3000 });
  });

  it.each([
    // These variables belong to a shell, to Kafka's own tools, to Kubernetes or to other programs.
    ...['HOME', 'PATH', 'SHELL', 'HOSTNAME', 'PORTS', 'KAFKA_HOME', 'KAFKA_OPTS', 'KAFKA_HEAP_OPTS'],
    ...['KAFKA_PORT', 'KAFKA_SERVICE_HOST', 'KAFKA_SERVICE_PORT_CLIENTS', 'KAFKA_PORT_9092_TCP_ADDR'],
    ...['MILEPOST_IMAGE', 'MILEPOST_PORT', 'APP_PASSWORD', 'POSTGRES_PASSWORD', 'LOG_FORMAT', 'TEST_SERVICES'],
  ])('accept the variable %s of another program', (name) => {
    expect(readAll({ [name]: 'x' })).toMatchObject({ port: 3000 });
  });
});
