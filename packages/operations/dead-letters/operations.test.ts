import { expect, it } from 'vitest';
import { flagOf } from '../operation.ts';
import { choiceErrors } from './operations.ts';

const faults = (input: Parameters<typeof choiceErrors>[0]) => choiceErrors(input, { parameter: flagOf });

it('is ids, or all open ones that match', () => {
  expect(faults({ ids: [3, 1, 3] })).toEqual([]);
  expect(faults({ all_open: true, partition: 0 })).toEqual([]);
});

it('is never guessed: nothing, both, and a filter without all_open are refused', () => {
  expect(faults({})).toEqual([{ parameter: 'ids', message: 'Required: ids of dead letters, or --all-open.' }]);
  expect(faults({ ids: [1], all_open: true })).toMatchObject([{ parameter: 'ids' }]);
  expect(faults({ ids: [1], source: 'trips' })).toEqual([{ parameter: 'source', message: 'Goes with --all-open.' }]);
});
