import { dateOf } from '@milepost/domain/calendar';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText, anyTimestamp, anyTripTime } from './arbitrary-values.ts';
import { clockText, dateText, isoText, localText, momentText, monthText, weekdayText } from './calendar-text.ts';

const MOMENT = /^(\d{1,2} [A-Z][a-z]{2} -?\d{1,6}, \d\d:\d\d(:\d\d)?|-?\d{16} ms)$/;
const CLOCK = /^(\d\d:\d\d(:\d\d)?|-?\d{16} ms)$/;

it('momentText shows UTC, whatever the time zone of the browser', () => {
  const moment = Date.UTC(2025, 0, 5, 23, 4, 9);
  expect([momentText(moment), momentText(moment, true)]).toEqual(['5 Jan 2025, 23:04', '5 Jan 2025, 23:04:09']);
  expect([dateText('2025-12-31'), weekdayText('2025-01-05')]).toEqual(['31 Dec 2025', 'Sunday']);
});

it('momentText shows a timestamp outside the range of Date in milliseconds', () => {
  const moment = Number.MAX_SAFE_INTEGER;
  expect([momentText(moment), clockText(-moment), localText(moment), isoText(moment)]).toEqual([
    '9007199254740991 ms',
    '-9007199254740991 ms',
    '9007199254740991 ms',
    null,
  ]);
  expect([momentText(8.64e15), isoText(8.64e15)]).toEqual(['13 Sep 275760, 00:00', null]);
});

it('momentText and clockText format every timestamp that a record can contain', () => {
  fc.assert(
    fc.property(anyTimestamp, fc.boolean(), (timestamp, withSeconds) => {
      expect(momentText(timestamp, withSeconds)).toMatch(MOMENT);
      expect(clockText(timestamp, withSeconds)).toMatch(CLOCK);
      expect(localText(timestamp)).not.toBe('');
      const iso = isoText(timestamp);
      if (iso !== null) expect(Date.parse(iso)).toBe(timestamp);
    }),
  );
});

it('dateText formats every date, and returns any other string unchanged', () => {
  fc.assert(
    fc.property(anyTripTime, (time) => {
      const date = dateOf(time);
      expect(dateText(date)).toMatch(/^\d{1,2} [A-Z][a-z]{2} \d{4}$/);
      expect(monthText(date)).toMatch(/^[A-Z][a-z]{2}$/);
      expect(weekdayText(date)).toMatch(/day$/);
    }),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      expect(dateText(text)).toBe(text);
      expect([monthText(text), weekdayText(text)].join('')).not.toMatch(/undefined|NaN/);
    }),
  );
});
