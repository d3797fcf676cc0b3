import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  addDays,
  dateOf,
  dateOfDay,
  isCalendarDate,
  isMonday,
  MILLISECONDS_PER_DAY,
  mondayOf,
  sixMonthsBefore,
  startOfDay,
} from './calendar.ts';

const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');
const anyInstant = fc.integer({ min: FIRST_INSTANT, max: LAST_INSTANT });
const anyDateWithRoom = fc
  .integer({ min: Date.parse('0002-01-01'), max: Date.parse('9998-12-31') })
  .map((milliseconds) => dateOf(milliseconds));

describe('isCalendarDate', () => {
  it('accepts the days of the calendar, and refuses any other text instead of guessing a day', () => {
    const days = ['0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29', '2023-12-31'];
    const others = [
      ...['', '0000-01-01', '2023-02-29', '1900-02-29', '2023-02-30', '2023-04-31', '2023-13-01', '2023-00-10'],
      ...['2023-01-00', '2023-01-32', '2023-1-1', '20230101', '2023-01-01 ', ' 2023-01-01', '2023-01-01\n'],
      ...['2023-01-01T00:00:00Z', '+002023-01-01', '-2023-01-01', '12023-01-01', '٢٠٢٣-٠١-٠١', '2023/01/01', 'today'],
    ];
    expect([...days, ...others].filter((text) => isCalendarDate(text))).toEqual(days);
  });

  it('accepts a string if and only if it is the standard form of a day', () => {
    fc.assert(fc.property(anyInstant, (instant) => isCalendarDate(dateOf(instant))));
    fc.assert(fc.property(fc.string(), (text) => !isCalendarDate(text)));
  });
});

describe('dateOf', () => {
  it('returns the day whose 24 hours contain the instant', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        const start = startOfDay(dateOf(instant));
        expect(start).toBeLessThanOrEqual(instant);
        expect(instant).toBeLessThan(start + MILLISECONDS_PER_DAY);
      }),
    );
  });

  it('never depends on the local time zone', () => {
    for (const local of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York']) {
      vi.stubEnv('TZ', local);
      expect(dateOf(Date.parse('2024-03-10T00:00:00.000Z'))).toBe('2024-03-10');
      expect(dateOf(Date.parse('2024-03-10T23:59:59.999Z'))).toBe('2024-03-10');
      expect(addDays('2024-03-10', 1)).toBe('2024-03-11');
      expect(sixMonthsBefore('2024-08-31')).toBe('2024-02-29');
    }
  });

  it.each([FIRST_INSTANT - 1, LAST_INSTANT + 1, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses %d, which is outside the range of calendar dates',
    (instant) => {
      expect(() => dateOf(instant)).toThrow(RangeError);
    },
  );
});

describe('addDays', () => {
  it('returns the date so many days later or earlier', () => {
    const steps = fc.integer({ min: -300, max: 300 });
    fc.assert(
      fc.property(anyDateWithRoom, steps, (date, days) => {
        expect(startOfDay(addDays(date, days))).toBe(startOfDay(date) + days * MILLISECONDS_PER_DAY);
      }),
    );
  });

  it('refuses to leave the years 0001 to 9999', () => {
    expect(() => addDays('9999-12-31', 1)).toThrow(RangeError);
    expect(() => addDays('0001-01-01', -1)).toThrow(RangeError);
  });
});

describe('mondayOf', () => {
  it('returns the Monday of each week, from Monday to Sunday', () => {
    fc.assert(
      fc.property(anyDateWithRoom, (date) => {
        const monday = mondayOf(date);
        expect(new Date(startOfDay(monday)).getUTCDay()).toBe(1);
        expect([isMonday(monday), isMonday(date)]).toEqual([true, date === monday]);
        expect((startOfDay(date) - startOfDay(monday)) / MILLISECONDS_PER_DAY).toBeOneOf([0, 1, 2, 3, 4, 5, 6]);
      }),
    );
  });
});

describe('dateOfDay', () => {
  it('returns the date of each day, even for more days than it caches, and again afterwards', () => {
    const days = Array.from({ length: 9_000 }, (_, index) => index - 100);
    for (const day of [...days, ...days]) expect(dateOfDay(day)).toBe(dateOf(day * MILLISECONDS_PER_DAY));
  });
});

describe('sixMonthsBefore', () => {
  it.each([
    ['2024-08-31', '2024-02-29'],
    ['2023-08-31', '2023-02-28'],
    ['2024-08-29', '2024-02-29'],
    ['2023-08-29', '2023-02-28'],
    ['2024-08-28', '2024-02-28'],
    ['2024-03-31', '2023-09-30'],
    ['2024-06-30', '2023-12-30'],
    ['2024-07-31', '2024-01-31'],
    ['2024-12-31', '2024-06-30'],
    ['2024-01-15', '2023-07-15'],
    ['0100-02-28', '0099-08-28'],
    ['9999-12-31', '9999-06-30'],
  ] as const)('%s -> %s', (date, expected) => {
    expect(sixMonthsBefore(date)).toBe(expected);
  });

  it('never decreases from one day to the next', () => {
    fc.assert(fc.property(anyDateWithRoom, (date) => sixMonthsBefore(date) <= sixMonthsBefore(addDays(date, 1))));
  });

  it('refuses to leave the years 0001 to 9999', () => {
    expect(() => sixMonthsBefore('0001-06-30')).toThrow(RangeError);
    expect(() => sixMonthsBefore('0001-05-31')).toThrow(RangeError);
    expect(sixMonthsBefore('0001-07-01')).toBe('0001-01-01');
  });
});
