import { createCompiler } from '@milepost/validation';
import Type from 'typebox';
import { expect, it } from 'vitest';
import {
  DRIVER_ID,
  DriverIds,
  SummaryDay,
  SummaryWeek,
  TRACKING_ID,
  TRIP_ID,
  TripsStartDate,
  vocabulary,
} from './parameters.ts';

/** A Saturday. */
const NOW = Date.UTC(2026, 0, 31, 12);
const compile = createCompiler(vocabulary(() => NOW));

function faultsOf(schema: typeof TripsStartDate | typeof DriverIds, value: unknown): string[] {
  return compile(Type.Object({ value: schema }), 'json')({ value }).map(({ message }) => message);
}

it('trips can be listed from six months ago to today', () => {
  const message = 'Must be from 2025-07-31 to 2026-01-31 (UTC).';
  expect(['2025-07-31', '2026-01-31'].flatMap((day) => faultsOf(TripsStartDate, day))).toEqual([]);
  for (const day of ['2025-07-30', '2026-02-01']) expect(faultsOf(TripsStartDate, day)).toEqual([message]);
});

it('summaries exist for complete days, and for weeks that begin on a Monday', () => {
  const message = 'Must be from 2025-07-31 to 2026-01-30 (UTC).';
  expect(faultsOf(SummaryDay, '2026-01-30')).toEqual([]);
  expect(faultsOf(SummaryDay, '2026-01-31')).toEqual([message]);
  expect(faultsOf(SummaryWeek, '2026-01-26')).toEqual([]);
  expect(faultsOf(SummaryWeek, '2026-01-27')).toEqual(['Must be a Monday, such as 2026-01-26.']);
  expect(faultsOf(SummaryWeek, '2026-02-02')).toEqual([message]);
});

it.each(['2026-02-30', '2026-1-5', '', 'today', '2026-01-05T00:00:00Z'])(
  '%j is not a date, which is one fault',
  (text) => {
    const message = 'Must be a date written YYYY-MM-DD, such as 2026-01-31.';
    expect(faultsOf(SummaryWeek, text)).toEqual([message]);
  },
);

it('a request names 1 to 20 drivers', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `driver-${index}`);
  expect([1, 20].flatMap((count) => faultsOf(DriverIds, ids(count)))).toEqual([]);
  expect(faultsOf(DriverIds, ids(21))).toEqual(['Must name at most 20 drivers, but names 21.']);
  expect(faultsOf(DriverIds, [])).toHaveLength(1);
});

it('ids have the characters and the length of stored ids', () => {
  const matching = (rule: RegExp, texts: readonly string[]) => texts.filter((text) => rule.test(text));
  const long = '🚚'.repeat(256);
  const texts = ['a', ' ', 'a/b', long, `${long}x`, '', 'a\tb', 'a\0', '\ud800'];
  expect(matching(DRIVER_ID, texts)).toEqual(['a', ' ', 'a/b', long]);
  expect(matching(TRACKING_ID, texts)).toEqual(['a', ' ', 'a/b', long, 'a\tb']);
  const trip = '0123456789abcdef'.repeat(2);
  const trips = [trip, trip.toUpperCase(), trip.slice(1), `${trip}0`, `${trip}\n`, trip.replace('a', 'g')];
  expect(matching(TRIP_ID, trips)).toEqual([trip]);
});
