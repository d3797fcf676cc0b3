import { describe, expect, it } from 'vitest';
import { dateText, momentText, weekdayText } from './calendar-text.ts';
import {
  countText,
  decimal,
  distanceText,
  durationText,
  NONE,
  rateIn,
  shareText,
  speedText,
  timesText,
} from './format.ts';

describe('figures', () => {
  it.each([
    [0, '0 s'],
    [59, '59 s'],
    [59.6, '1 min'],
    [60, '1 min'],
    [90, '1 min 30 s'],
    [600.4, '10 min'],
    [3_569, '59 min'],
    [3_570, '1 h 00 min'],
    [3_900, '1 h 05 min'],
    [360_000, '100 h 00 min'],
  ])('%d s are %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });

  it('are in miles or kilometres', () => {
    expect([distanceText('miles', 1234.56), distanceText('kilometres', 100)]).toEqual(['1,234.6 mi', '160.9 km']);
    expect([speedText('miles', 70), speedText('kilometres', 70)]).toEqual(['70 mph', '113 km/h']);
    expect([rateIn('miles', 10), decimal(rateIn('kilometres', 10), 2)]).toEqual([10, '6.21']);
  });

  it('are counted in words', () => {
    expect([countText(1, 'trip'), countText(0, 'trip'), countText(1_234, 'day')]).toEqual([
      '1 trip',
      '0 trips',
      '1,234 days',
    ]);
  });

  it('say how often, and for how long where that is known', () => {
    expect([timesText(0, 0), timesText(1), timesText(2, 90)]).toEqual(['never', '1 time', '2 times, 1 min 30 s']);
  });

  it('have no share of nothing', () => {
    expect([shareText(1, 4), shareText(0, 0)]).toEqual(['25 %', NONE]);
  });
});

describe('moments', () => {
  it('are in UTC wherever the reader is', () => {
    const moment = Date.UTC(2025, 0, 5, 23, 4, 9);
    expect([momentText(moment), momentText(moment, true)]).toEqual(['5 Jan 2025, 23:04', '5 Jan 2025, 23:04:09']);
    expect([dateText('2025-12-31'), weekdayText('2025-01-05')]).toEqual(['31 Dec 2025', 'Sunday']);
  });
});
