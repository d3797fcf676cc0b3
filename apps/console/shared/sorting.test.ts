import { expect, it } from 'vitest';
import { sortRows } from './sorting.ts';

const columns = [{ name: 'value', value: ([value]: [string | number | null]) => value }];
const sorted = (values: (string | number | null)[], descending: boolean) =>
  sortRows(
    values.map((value): [string | number | null] => [value]),
    columns,
    { by: 'value', descending },
  ).map(([value]) => value);

it('orders numbers by size and texts by letter, and puts what has no value last both ways', () => {
  expect([sorted([10, null, 9, -1], false), sorted([10, null, 9, -1], true)]).toEqual([
    [-1, 9, 10, null],
    [10, 9, -1, null],
  ]);
  expect(sorted(['b', 'Á', null, 'c'], true)).toEqual(['c', 'b', 'Á', null]);
});

it('leaves the order alone where no column is chosen', () => {
  expect(sortRows([[2], [1]], columns, null)).toEqual([[2], [1]]);
});
