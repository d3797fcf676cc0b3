import { expect, it, onTestFinished, vi } from 'vitest';
import { checkOf } from '../language/check.ts';
import type { Operation } from '../language/operation.ts';
import { discard, listDeadLetters, retry } from './dead-letters.ts';
import { erase } from './drivers.ts';
import { createKey } from './keys.ts';
import { start } from './replays.ts';
import { acceptSource } from './sources.ts';
import { driverDayTrace } from './trace.ts';

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

const DRIVER = { fleet_id: 'acme', driver_id: 'anna' };

it.each<[parameter: string, wrong: unknown[], given: object, operation: Operation]>([
  ['fleet_id', [undefined, 7], {}, createKey],
  ['name', ['a\nb'], { fleet_id: 'acme' }, createKey],
  ['expires', ['soon'], { fleet_id: 'acme' }, createKey],
  ['rate_limit_per_minute', [0, 1e10, 2.5], { fleet_id: 'acme' }, createKey],
  ['projection', [undefined], {}, start],
  ['throttle', ['fast', 0, 1.5], { projection: 'all' }, start],
  ['promote', ['yes'], { projection: 'all' }, start],
  ['accept_differences', [true], { projection: 'all' }, start],
  ['reason', [undefined, ' \t'], DRIVER, erase],
  ['date', [undefined, '', '2025-02-30'], DRIVER, driverDayTrace],
  ['from', [undefined, -1, 1.5, '7', 'end', null], { topic: 'trips', partition: 0 }, acceptSource],
  ['ids', [undefined, [], [1.5], Array.from({ length: 1_001 }, (_, index) => index + 1)], {}, retry],
  ['skip', [-1], { all_open: true }, retry],
  ['note', [undefined, '', '\0'], { ids: [1] }, discard],
  ['all_open', [false], { note: 'x' }, discard],
  ['reason', ['no'], {}, listDeadLetters],
  ['source', [''], {}, listDeadLetters],
  ['field', ['\0'], {}, listDeadLetters],
  ['since', ['yesterday'], {}, listDeadLetters],
  ['all', [1], {}, listDeadLetters],
])('each wrong value of the input %s is named', (parameter, wrong, given, { input: schema, inputErrors }) => {
  for (const value of wrong) {
    const input = { ...given, ...(value === undefined ? {} : { [parameter]: value }) };
    const errors = checkOf(schema)(input);
    const found = errors.length > 0 ? errors : (inputErrors?.(input) ?? []);
    expect(found.map((error) => error.parameter)).toEqual([parameter]);
  }
});

it('a replay accepts differences only if it is also promoted', () => {
  for (const flags of [{ accept_differences: true, promote: true }, { accept_differences: false }])
    expect(start.inputErrors?.({ projection: 'trips', ...flags })).toEqual([]);
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
