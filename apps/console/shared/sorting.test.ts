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

it('sortRows keeps the order of equal rows in both directions, and does not change the given array', () => {
  const rows = [
    { name: 'one', value: 0 },
    { name: 'two', value: null },
    { name: 'three', value: 0 },
    { name: 'four', value: -1 },
    { name: 'five', value: null },
  ];
  const names = (descending: boolean) =>
    sortRows(rows, [{ name: 'value', value: ({ value }) => value }], { by: 'value', descending }).map(
      ({ name }) => name,
    );
  expect(names(false)).toEqual(['four', 'one', 'three', 'two', 'five']);
  expect(names(true)).toEqual(['one', 'three', 'four', 'two', 'five']);
  expect(rows.map(({ name }) => name)).toEqual(['one', 'two', 'three', 'four', 'five']);
});

it('sortRows sorts by the named column, and keeps the order if there is no such column or none is named', () => {
  expect(sortRows([[2], [1]], columns, null)).toEqual([[2], [1]]);
  const pair = [
    { name: 'first', value: ([first]: [number, number]) => first },
    { name: 'second', value: ([, second]: [number, number]) => second },
  ];
  const rows = [9, 8, 10].map((second, index): [number, number] => [index + 1, second]);
  const seconds = (by: string) => sortRows(rows, pair, { by, descending: false }).map(([, second]) => second);
  expect([seconds('first'), seconds('second'), seconds('third')]).toEqual([
    [9, 8, 10],
    [8, 9, 10],
    [9, 8, 10],
  ]);
});
