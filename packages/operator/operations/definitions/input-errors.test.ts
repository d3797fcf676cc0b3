import { expect, it, onTestFinished, vi } from 'vitest';
import { discard } from './dead-letters.ts';
import { erase } from './drivers.ts';
import { createKey } from './keys.ts';
import { start } from './replays.ts';

it('a key can expire tomorrow in UTC at the earliest', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 31, 23, 59), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const faultsOf = (expires: string) => createKey.inputErrors?.({ fleet_id: 'acme', expires }).length;
  expect(['2026-01-30', '2026-01-31', '2026-02-01'].map(faultsOf)).toEqual([1, 1, 0]);
});

it('the reason for an erasure must not contain the id of the driver, unless the id could be part of a word', () => {
  const faultsOf = (driver_id: string, reason: string) => erase.inputErrors?.({ fleet_id: 'acme', driver_id, reason });
  expect(faultsOf('anna', 'Request of anna.')).toMatchObject([{ parameter: 'reason' }]);
  expect(faultsOf('anna', 'Request of the driver.')).toEqual([]);
  expect(faultsOf('dri', 'Request of the driver.')).toEqual([]);
});

it.each([
  [{ accept_differences: true }, 1],
  [{ accept_differences: true, promote: true }, 0],
  [{ accept_differences: false }, 0],
])('a replay accepts differences only if it is also promoted: %j has %i faults', (flags, faults) => {
  expect(start.inputErrors?.({ projection: 'trips', ...flags })).toHaveLength(faults);
});

it.each<[{ ids?: number[]; all_open?: true; partition?: number; source?: string }, string[]]>([
  [{ ids: [3, 1, 3] }, []],
  [{ all_open: true, partition: 0 }, []],
  [{}, ['ids']],
  [{ ids: [1], all_open: true }, ['ids']],
  [{ ids: [1], partition: 0 }, ['partition']],
  [{ source: 'trips' }, ['source']],
])('a selection of dead letters is a list of ids, or all open ones that match: %j', (input, faults) => {
  expect(discard.inputErrors?.({ ...input, note: 'x' }).map(({ parameter }) => parameter)).toEqual(faults);
});
