import { afterEach, expect, it, vi } from 'vitest';
import { erase } from './drivers.ts';
import { createKey } from './keys.ts';
import { start } from './replays.ts';
import { acceptedInWords } from './sources.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('a key may expire tomorrow in UTC at the earliest', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 31, 23, 59), toFake: ['Date'] });
  const faultsOf = (expires?: string) =>
    createKey.inputErrors?.({ fleet_id: 'acme', ...(expires === undefined ? {} : { expires }) }).length;
  expect(['2026-01-30', '2026-01-31', '2026-02-01', undefined].map(faultsOf)).toEqual([1, 1, 0, 0]);
});

it('the reason of an erasure must not contain the id of the driver, unless the id may be a part of a word', () => {
  const faultsOf = (driver_id: string, reason: string) =>
    erase.inputErrors?.({ fleet_id: 'acme', driver_id, reason }).map(({ parameter }) => parameter);
  expect(faultsOf('anna', 'Request of anna.')).toEqual(['reason']);
  expect(faultsOf('anna', 'Request of the driver.')).toEqual([]);
  expect(faultsOf('dri', 'Request of the driver.')).toEqual([]);
});

it('a replay accepts differences only together with its promotion', () => {
  const faultsOf = (flags: { promote?: boolean; accept_differences?: boolean }) =>
    start.inputErrors?.({ projection: 'trips', ...flags }).map(({ parameter }) => parameter);
  expect(faultsOf({ accept_differences: true })).toEqual(['accept_differences']);
  expect(faultsOf({ accept_differences: true, promote: false })).toEqual(['accept_differences']);
  expect(faultsOf({ accept_differences: true, promote: true })).toEqual([]);
  expect(faultsOf({ accept_differences: false })).toEqual([]);
  expect(faultsOf({ promote: true })).toEqual([]);
});

it('the result of accepting a source names the new offset before the abandoned one', () => {
  const accepted = { topic: 'milepost.trips', partition: 2, abandoned_offset: 1_500, next_offset: 0 };
  expect(acceptedInWords(accepted)).toBe('milepost.trips/2 continues at offset 0 instead of 1500');
});
