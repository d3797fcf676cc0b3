import { discard } from '@milepost/operations/dead-letters';
import { promote, start, throttle } from '@milepost/operations/replays';
import { acceptSource } from '@milepost/operations/sources';
import { describe, expect, it } from 'vitest';
import { commandLine, laneOption, withFlags, withNext } from './command-line.ts';

it('a suggested command names each lane but the first one, which is the default', () => {
  expect([undefined, 0, 1, 63].map(laneOption)).toEqual(['', '', ' --lane 1', ' --lane 63']);
});

describe('a suggested command', () => {
  it('has the arguments of its operation in order, and then the options', () => {
    expect(commandLine({ input: { throttle: 500, id: 7 } }, throttle)).toBe('milepost replay throttle 7 500');
    const input = { accept_differences: true, promote: true, projection: 'trips,drivers' };
    expect(commandLine({ input }, start, 2)).toBe(
      'milepost replay start trips,drivers --promote --accept-differences --lane 2',
    );
  });

  it('omits an optional input that the action does not have', () => {
    expect(commandLine({ input: { id: 0 } }, promote)).toBe('milepost replay promote 0');
    expect(commandLine({ input: { id: 7 } }, promote, 0)).toBe('milepost replay promote 7');
  });

  it('has the names of the inputs that the operator must choose, in capitals', () => {
    expect(commandLine({ input: {} }, promote)).toBe('milepost replay promote ID');
    expect(commandLine({ input: { ids: 3 } }, discard)).toBe('milepost dead-letters discard 3 --note NOTE');
  });

  it('has quotes where a shell would split or expand a word', () => {
    const note = (text: string) => commandLine({ input: { ids: 3, note: text } }, discard).replace(/^.*--note /, '');
    expect(note('case-812')).toBe('case-812');
    expect(note('sent by mistake')).toBe('"sent by mistake"');
    expect(note('a "b"; c')).toBe('"a \\"b\\"; c"');
    expect(note('')).toBe('""');
    expect(commandLine({ input: { topic: 'a/b.c-d', partition: 0, from: 'beginning' } }, acceptSource)).toContain(
      ' a/b.c-d ',
    );
  });
});

describe('the sentence of a refusal', () => {
  const promoteIt = { operation: 'replay.promote', input: { id: 7, accept_differences: true } };
  const listThem = { operation: 'replay.list', input: {} };

  it('stays unchanged when nothing can be done next', async () => {
    expect(await withNext('It is running.', [], 1)).toBe('It is running.');
  });

  it('is followed by each next command, in the lane of the refusal', async () => {
    expect(await withNext('Rows differ.', [promoteIt, listThem])).toBe(
      'Rows differ. Try `milepost replay promote 7 --accept-differences` or `milepost replay list`.',
    );
    expect(await withNext('Rows differ.', [promoteIt, listThem], 1)).toBe(
      'Rows differ. Try `milepost replay promote 7 --accept-differences --lane 1` or `milepost replay list --lane 1`.',
    );
  });

  it('names an operation of a newer server by its words', async () => {
    const unknown = { operation: 'replay.hurry.up', input: {} };
    expect(await withNext('It is slow.', [unknown])).toBe('It is slow. Try `milepost replay hurry up`.');
  });
});

it('a message about an input names its flag on the command line, and leaves other words as they are', () => {
  expect(withFlags('Requires `promote` and `accept_differences`, not `other`.', start.input)).toBe(
    'Requires --promote and --accept-differences, not `other`.',
  );
});
