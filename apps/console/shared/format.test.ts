import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyAmount, anyCount, anyFinite } from '../../../test/support/console/arbitrary-values.ts';
import {
  countText,
  decimal,
  distanceIn,
  distanceText,
  durationText,
  NONE,
  rateIn,
  shareText,
  signedText,
  speedText,
  timesText,
} from './format.ts';

/** A number in digits, with commas between thousands, or in scientific notation. */
const NUMBER = '-?(\\d{1,3}(,\\d{3})*(\\.\\d+)?|\\d(\\.\\d+)?E\\d+)';

describe('for every value that a record can contain,', () => {
  const units = fc.constantFrom('miles' as const, 'kilometres' as const);
  const digits = fc.constantFrom(0 as const, 1 as const, 2 as const);

  it('a decimal is a number of at most 23 characters', () => {
    fc.assert(
      fc.property(anyFinite, digits, (value, count) => {
        expect(decimal(value, count)).toMatch(new RegExp(`^${NUMBER}$`));
        expect(decimal(value, count).length).toBeLessThanOrEqual(23);
      }),
    );
  });

  it('distances and speeds are a number and a unit', () => {
    fc.assert(
      fc.property(units, anyFinite, (unit, value) => {
        expect(distanceIn(unit, value)).toSatisfy(Number.isFinite);
        expect(distanceText(unit, value)).toMatch(new RegExp(`^${NUMBER} (mi|km)$`));
        expect(speedText(unit, value)).toMatch(new RegExp(`^${NUMBER} (mph|km/h)$`));
      }),
    );
  });

  it('durations are hours, minutes and seconds', () => {
    const form = new RegExp(`^(${NUMBER} h( \\d\\d min)?|\\d{1,2} min( \\d{1,2} s)?|\\d{1,2} s)$`);
    fc.assert(
      fc.property(anyAmount, (seconds) => {
        expect(durationText(seconds)).toMatch(form);
      }),
    );
  });

  it('counts, rates and shares are numbers or missing', () => {
    fc.assert(
      fc.property(anyCount, anyAmount, anyAmount, units, (count, part, whole, unit) => {
        expect(countText(count, 'trip')).toMatch(new RegExp(`^${NUMBER} trips?$`));
        expect(timesText(count, part)).toMatch(new RegExp(`^(never|${NUMBER} times?, .+)$`));
        expect(shareText(part, whole)).toMatch(new RegExp(`^(${NUMBER}%|${NONE})$`));
        expect(decimal(rateIn(unit, (100 * count) / whole))).toMatch(new RegExp(`^(${NUMBER}|${NONE})$`));
      }),
    );
  });
});

describe('at its limits,', () => {
  it('a number of 1E15 or more is in scientific notation, and one that is rounded to 0 has no sign', () => {
    expect([decimal(999_999_999_999_999, 0), decimal(1e15), decimal(-1e15), decimal(1.23456e300, 2)]).toEqual([
      '999,999,999,999,999',
      '1E15',
      '-1E15',
      '1.235E300',
    ]);
    expect([decimal(-0.04), decimal(0.05), decimal(2, 2), decimal(-1_234.5, 0)]).toEqual([
      '0.0',
      '0.1',
      '2.00',
      '-1,235',
    ]);
    expect([decimal(NaN), decimal(Infinity), decimal(-Infinity)]).toEqual(['–', '–', '–']);
  });

  it.each([
    [1.25, '+1.3'],
    [-1.25, '−1.3'],
    [0.04, '0.0'],
    [0, '0.0'],
    [1_000, '+1,000.0'],
  ])('the sign of %d is written once, and not before a number that is rounded to zero', (value, text) => {
    expect(signedText(value)).toBe(text);
  });

  it.each([
    [0, '0 s'],
    [59.4, '59 s'],
    [59.6, '1 min'],
    [90, '1 min 30 s'],
    [599, '9 min 59 s'],
    [629, '10 min'],
    [630, '11 min'],
    [3_569, '59 min'],
    [3_570, '1 h 00 min'],
    [3_900, '1 h 05 min'],
    [3_600_000, '1,000 h 00 min'],
    [1e15, '277,777,777,778 h'],
  ])('a duration of %d s is %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });

  it('distances, speeds and rates are in miles or kilometres', () => {
    expect([distanceText('miles', 1234.56), distanceText('kilometres', 100)]).toEqual(['1,234.6 mi', '160.9 km']);
    expect([speedText('miles', 70), speedText('kilometres', 70)]).toEqual(['70 mph', '113 km/h']);
    expect([rateIn('miles', 10), decimal(rateIn('kilometres', 10), 2)]).toEqual([10, '6.21']);
    expect([distanceIn('kilometres', -1), distanceIn('kilometres', Number.MAX_VALUE)]).toEqual([
      -1.609344,
      Number.MAX_VALUE,
    ]);
  });

  it('a count can have an irregular plural, a duration of 0 is not missing, and a share needs a positive whole', () => {
    expect([countText(1, 'entry', 'entries'), countText(1_234, 'day')]).toEqual(['1 entry', '1,234 days']);
    expect([timesText(0, 0), timesText(1), timesText(2, 90), timesText(2, 0)]).toEqual([
      'never',
      '1 time',
      '2 times, 1 min 30 s',
      '2 times, 0 s',
    ]);
    expect([shareText(0, 4), shareText(1, 3), shareText(3, 2)]).toEqual(['0%', '33%', '150%']);
    expect([shareText(0, 0), shareText(1, -1), shareText(Number.MAX_VALUE, 0.5)]).toEqual(['–', '–', '–']);
  });
});
