import { describe, expect, it } from 'vitest';
import { address, flag, integer, oneOf, optionalText, readSettings, SettingError } from './settings.ts';

const PORT = { default: 3000, minimum: 0, maximum: 65_535 };

describe('settings', () => {
  it('treats an empty variable as absent', () => {
    expect(optionalText({ HOST: '' }, 'HOST')).toBeUndefined();
    expect(integer({ PORT: '' }, 'PORT', PORT)).toBe(3000);
  });

  it.each(['-1', '65536', '3000x', '1e3', ' '])('refuses %j as a port, and names the setting and the range', (text) => {
    expect(() => integer({ PORT: text }, 'PORT', PORT)).toThrow(SettingError);
    expect(() => integer({ PORT: text }, 'PORT', PORT)).toThrow(/PORT.*0 to 65535/);
  });

  it('accepts both limits of a range, and returns the number', () => {
    expect(['0', '007', '65535'].map((text) => integer({ PORT: text }, 'PORT', PORT))).toEqual([0, 7, 65_535]);
    expect(() => integer({ PORT: '0' }, 'PORT', { ...PORT, minimum: 1 })).toThrow('from 1 to 65535, but is "0"');
  });

  it('returns the given word rather than the default', () => {
    expect(oneOf({ LOG_LEVEL: 'debug' }, 'LOG_LEVEL', ['info', 'debug'], 'info')).toBe('debug');
    expect(oneOf({ LOG_LEVEL: '' }, 'LOG_LEVEL', ['info', 'debug'], 'debug')).toBe('debug');
    for (const fallback of [true, false]) {
      expect(flag({ KAFKA_SSL: 'true' }, 'KAFKA_SSL', fallback)).toBe(true);
      expect(flag({ KAFKA_SSL: 'false' }, 'KAFKA_SSL', fallback)).toBe(false);
      expect(flag({ KAFKA_SSL: '' }, 'KAFKA_SSL', fallback)).toBe(fallback);
    }
  });

  it('refuses a word that is not one of the choices', () => {
    expect(() => oneOf({ LOG_LEVEL: 'loud' }, 'LOG_LEVEL', ['info', 'debug'], 'info')).toThrow(/info, debug/);
    expect(() => flag({ KAFKA_SSL: 'yes' }, 'KAFKA_SSL', true)).toThrow(/true, false/);
    expect(flag({}, 'KAFKA_SSL', true)).toBe(true);
  });

  it('never repeats the password of an invalid URL', () => {
    const wrong = { DATABASE_URL: 'mysql://root:secret@localhost/x' };
    expect(() => address(wrong, 'DATABASE_URL', ['postgres'])).toThrow(/^(?!.*secret).*postgres:/);
    expect(address({ DATABASE_URL: 'postgres://a@b/c' }, 'DATABASE_URL', ['postgres'])).toBe('postgres://a@b/c');
  });

  describe('read together', () => {
    const read = (environment: Record<string, string>) =>
      readSettings(environment, () => ({
        port: integer(environment, 'PORT', PORT),
        level: oneOf(environment, 'LOG_LEVEL', ['info', 'debug'], 'info'),
        again: readSettings(environment, () => integer(environment, 'PORT', { ...PORT, minimum: 1 })),
      }));

    it('are all reported together, each once, when they are invalid', () => {
      expect(() => read({ PORT: 'eighty', LOG_LEVEL: 'loud' })).toThrow(
        new SettingError(
          'PORT must be a whole number from 0 to 65535, but is "eighty". LOG_LEVEL must be one of info, debug, but is "loud".',
        ),
      );
      expect(read({ PORT: '80' })).toEqual({ port: 80, level: 'info', again: 80 });
    });

    it.each([
      ['KAFKA_BROKER', 'KAFKA_BROKER is not a setting of Milepost: did you mean KAFKA_BROKERS?'],
      [
        'RATE_LIMIT_PER_MINUT',
        'RATE_LIMIT_PER_MINUT is not a setting of Milepost: did you mean RATE_LIMIT_PER_MINUTE?',
      ],
      ['OPS_TOKENS', 'OPS_TOKENS is not a setting of Milepost: did you mean OPS_TOKEN?'],
      ['MILEPOST_FOLDER', 'MILEPOST_FOLDER is not a setting of Milepost: did you mean MILEPOST_HOME?'],
      ['MILEPOST_COLOUR_OF_LOGS', 'MILEPOST_COLOUR_OF_LOGS is not a setting of Milepost.'],
      ['DATABASE_URI', 'DATABASE_URI is not a setting of Milepost: did you mean DATABASE_URL?'],
      ['REQUIRE_CONTENTTYPE', 'REQUIRE_CONTENTTYPE is not a setting of Milepost: did you mean REQUIRE_CONTENT_TYPE?'],
    ])('report the unknown setting %s with the probable name, in addition to invalid settings', (name, sentence) => {
      expect(() => read({ [name]: 'x', PORT: 'y' })).toThrow(
        new SettingError(`${sentence} PORT must be a whole number from 0 to 65535, but is "y".`),
      );
      expect(read({ [name]: '' })).toMatchObject({ port: 3000 });
    });

    it.each([
      // These variables belong to a shell, to Kafka's own tools, to Kubernetes or to other programs.
      ...['HOME', 'PATH', 'SHELL', 'HOSTNAME', 'PORTS', 'KAFKA_HOME', 'KAFKA_OPTS', 'KAFKA_HEAP_OPTS'],
      ...['KAFKA_SERVICE_HOST', 'KAFKA_SERVICE_PORT_CLIENTS', 'MILEPOST_PORT', 'KAFKA_PORT_9092_TCP_ADDR'],
      ...['APP_PASSWORD', 'POSTGRES_PASSWORD', 'LOG_FORMAT', 'TEST_SERVICES'],
    ])('accept the variable %s of another program', (name) => {
      expect(read({ [name]: 'x' })).toMatchObject({ port: 3000 });
    });
  });
});
