import { discard } from '@milepost/operations/dead-letters';
import { promote, start, throttle } from '@milepost/operations/replays';
import { acceptSource } from '@milepost/operations/sources';
import { expect, it } from 'vitest';
import { commandLine, withFlags, withNext } from './command-line.ts';

it('a suggested command contains its arguments in order, its options, and the lane unless it is the first', () => {
  expect(commandLine({ input: { throttle: 500, id: 7 } }, throttle)).toBe('milepost replay throttle 7 500');
  expect(commandLine({ input: { id: 7 } }, promote, 0)).toBe('milepost replay promote 7');
  const input = { accept_differences: true, promote: true, projection: 'trips,drivers' };
  expect(commandLine({ input }, start, 2)).toBe(
    'milepost replay start trips,drivers --promote --accept-differences --lane 2',
  );
});

it('a suggested command shows the inputs that the operator must choose as names in capitals', () => {
  expect(commandLine({ input: {} }, promote)).toBe('milepost replay promote ID');
  expect(commandLine({ input: { ids: 3 } }, discard)).toBe('milepost dead-letters discard 3 --note NOTE');
});

it('a suggested command quotes each word that a shell would split or expand', () => {
  const note = (text: string) => commandLine({ input: { ids: 3, note: text } }, discard).replace(/^.*--note /, '');
  expect(['case-812', 'sent by mistake', 'a "b"; c', ''].map(note)).toEqual([
    'case-812',
    '"sent by mistake"',
    '"a \\"b\\"; c"',
    '""',
  ]);
  const input = { topic: 'a/b.c-d', partition: 0, from: 'beginning' };
  expect(commandLine({ input }, acceptSource)).toContain(' a/b.c-d ');
});

it('a refusal ends with the suggested commands and their lane, even those that only a newer server knows', async () => {
  const promoteIt = { operation: 'replay.promote', input: { id: 7, accept_differences: true } };
  const unknown = { operation: 'replay.hurry.up', input: {} };
  expect(await withNext('It is running.', [], 1)).toBe('It is running.');
  expect(await withNext('Rows differ.', [promoteIt, unknown], 1)).toBe(
    'Rows differ. Try `milepost replay promote 7 --accept-differences --lane 1` or `milepost replay hurry up`.',
  );
});

it('a message about an input names its command-line flag and leaves other words unchanged', () => {
  expect(withFlags('Requires `promote` and `accept_differences`, not `other`.', start.input)).toBe(
    'Requires --promote and --accept-differences, not `other`.',
  );
});
