import { describe, expect, it } from 'vitest';
import { address, flag, integer, oneOf, optionalText, SettingError } from './settings.ts';

const PORT = { default: 3000, minimum: 0, maximum: 65_535 };

describe('settings', () => {
  it('treats an empty variable as absent', () => {
    expect(optionalText({ NAME: '' }, 'NAME')).toBeUndefined();
    expect(integer({ PORT: '' }, 'PORT', PORT)).toBe(3000);
  });

  it.each(['-1', '65536', '3000x', '1e3', ' '])('refuses %j as a port, naming setting and range', (text) => {
    expect(() => integer({ PORT: text }, 'PORT', PORT)).toThrow(SettingError);
    expect(() => integer({ PORT: text }, 'PORT', PORT)).toThrow(/PORT.*0 to 65535/);
  });

  it('refuses a word that is none of the choices', () => {
    expect(() => oneOf({ LOG_LEVEL: 'loud' }, 'LOG_LEVEL', ['info', 'debug'], 'info')).toThrow(/info, debug/);
    expect(() => flag({ ON: 'yes' }, 'ON', true)).toThrow(/true, false/);
    expect(flag({}, 'ON', true)).toBe(true);
  });

  it('never repeats the password of a wrong address', () => {
    const wrong = { DATABASE_URL: 'mysql://root:secret@localhost/x' };
    expect(() => address(wrong, 'DATABASE_URL', ['postgres'])).toThrow(/^(?!.*secret).*postgres:/);
    expect(address({ DATABASE_URL: 'postgres://a@b/c' }, 'DATABASE_URL', ['postgres'])).toBe('postgres://a@b/c');
  });
});
