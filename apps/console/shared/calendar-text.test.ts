import { dateOf } from '@milepost/domain/calendar';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText, anyTimestamp, anyTripTime } from '../../../test/support/console/arbitrary-values.ts';
import { clockText, dateText, isoText, localText, momentText, monthOfWeek } from './calendar-text.ts';

const monthText = (date: string) => monthOfWeek([date], true);

const MOMENT = /^(\d{1,2} [A-Z][a-z]{2} -?\d{1,6}, \d\d:\d\d(:\d\d)?|-?\d{16} ms)$/;
const CLOCK = /^(\d\d:\d\d(:\d\d)?|-?\d{16} ms)$/;

it("momentText shows UTC, whatever the browser's time zone", () => {
  const moment = Date.UTC(2025, 0, 5, 23, 4, 9);
  expect([momentText(moment), momentText(moment, true)]).toEqual(['5 Jan 2025, 23:04', '5 Jan 2025, 23:04:09']);
  expect([clockText(moment), clockText(moment, false)]).toEqual(['23:04:09', '23:04']);
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
    }),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      expect(dateText(text)).toBe(text);
      expect(monthText(text)).not.toMatch(/undefined|NaN/);
    }),
  );
});

it('names each month', () => {
  const months = Array.from({ length: 12 }, (_, index) => `2025-${String(index + 1).padStart(2, '0')}-09`);
  const names = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
  expect(months.map(monthText)).toEqual(names);
  expect(months.map(dateText)).toEqual(names.map((name) => `9 ${name} 2025`));
  expect([monthText(''), monthText('2025-13-01')]).toEqual(['', '']);
});

it("localText uses the reader's time zone", () => {
  // These tests run in the time zone of Newfoundland, three and a half hours behind UTC.
  expect(localText(Date.UTC(2025, 0, 5, 1, 4, 9))).toMatch(/\b(9|21):34:09\b/);
});

it('a moment is a date within the limits of Date, and ISO 8601 in the years 0001 to 9999', () => {
  const limit = 8.64e15;
  expect([momentText(-limit), momentText(limit + 1), momentText(-limit - 1)]).toEqual([
    '20 Apr -271821, 00:00',
    '8640000000000001 ms',
    '-8640000000000001 ms',
  ]);
  const [first, end] = [Date.parse('0001-01-01T00:00:00.000Z'), Date.parse('+010000-01-01T00:00:00.000Z')];
  expect([isoText(first), isoText(end - 1)]).toEqual(['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']);
  expect([isoText(first - 1), isoText(end), isoText(limit + 1)]).toEqual([null, null, null]);
});

it.each([
  ['2026-05-25', false, ''],
  ['2026-05-25', true, 'May'],
  ['2026-06-01', false, 'Jun'],
  ['2026-06-01', true, 'Jun'],
  ['2026-07-27', false, 'Aug'],
  ['2026-06-28', true, 'Jul'],
])('the week from %s shows the month that begins in it (first week: %s): %s', (monday, isFirst, month) => {
  const days = Array.from({ length: 7 }, (_, day) => dateOf(Date.parse(monday) + day * 86_400_000));
  expect(monthOfWeek(days, isFirst)).toBe(month);
});
