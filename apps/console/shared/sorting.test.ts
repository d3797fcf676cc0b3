import { expect, it } from 'vitest';
import { sortRows } from './sorting.ts';

const columns = [{ name: 'value', value: ([value]: [string | number | null]) => value }];
const sorted = (values: (string | number | null)[], descending: boolean) =>
  sortRows(
    values.map((value): [string | number | null] => [value]),
    columns,
    { by: 'value', descending },
  ).map(([value]) => value);

it('sortRows sorts numbers by value and strings alphabetically, with missing values last in both directions', () => {
  expect([sorted([10, null, 9, -1], false), sorted([10, null, 9, -1], true)]).toEqual([
    [-1, 9, 10, null],
    [10, 9, -1, null],
  ]);
  expect(sorted(['b', 'Á', null, 'c'], true)).toEqual(['c', 'b', 'Á', null]);
});

it('sortRows keeps the order when no column is given', () => {
  expect(sortRows([[2], [1]], columns, null)).toEqual([[2], [1]]);
});
