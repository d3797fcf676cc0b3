import { describe, expect, it } from 'vitest';
import { moment } from './dead-letters.ts';

describe('moment', () => {
  it('accepts a day in UTC, and a time with its time zone', () => {
    expect(moment('2025-01-31')).toBe('2025-01-31T00:00:00.000Z');
    expect(moment('2025-01-31T08:00:00+02:00')).toBe('2025-01-31T06:00:00.000Z');
    expect(moment('2025-01-31T08:00Z')).toBe('2025-01-31T08:00:00.000Z');
  });

  it.each(['yesterday', '2025-02-30', '2025-01-31T08:00:00', '2025', ''])('refuses %j', (text) => {
    expect(() => moment(text)).toThrow('such as 2025-01-31');
  });
});
