import { expect, it } from 'vitest';
import { choiceErrors } from './dead-letters.ts';

const faults = (input: Parameters<typeof choiceErrors>[0]) => choiceErrors(input);

it('a selection of dead letters is a list of ids, or all open ones that match', () => {
  expect(faults({ ids: [3, 1, 3] })).toEqual([]);
  expect(faults({ all_open: true, partition: 0 })).toEqual([]);
});

it('a selection of dead letters is refused if it is empty, has both forms, or has a filter without all_open', () => {
  expect(faults({})).toEqual([{ parameter: 'ids', message: 'Required: ids of dead letters, or `all_open`.' }]);
  expect(faults({ ids: [1], all_open: true })).toMatchObject([{ parameter: 'ids' }]);
  expect(faults({ ids: [1], partition: 0 })).toEqual([{ parameter: 'partition', message: 'Requires `all_open`.' }]);
  expect(faults({ partition: 0 })).toMatchObject([{ parameter: 'partition' }]);
  expect(faults({ ids: [1], source: 'trips' })).toEqual([{ parameter: 'source', message: 'Requires `all_open`.' }]);
});
