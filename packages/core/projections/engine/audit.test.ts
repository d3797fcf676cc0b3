import { expect, it } from 'vitest';
import { describeFields, sidesOf } from './audit.ts';

it('sidesOf combines the fields of each side in the same order', () => {
  const fields = { one: ['a', 'c'], other: ['b', 'd'] } as const;
  const actual = (table: string, value: string) => `${table} ${value}`;
  const sides = sidesOf({ fields, expected: (value) => value, actual, causes: '' }, 'trips_1');
  expect(sides).toEqual({ left: `concat(a, E'\\x1f', b)`, right: `trips_1 concat(c, E'\\x1f', d)` });
});

it('describeFields names each field that differs, with the found and the expected value', () => {
  const value = (...fields: string[]) => fields.join('\u001f');
  const fields = ['one', 'two', 'three'];
  expect(describeFields(fields, value('1', '2', '3'), value('1', '2', '3'))).toBe('');
  expect(describeFields(fields, value('1', '2', ''), value('4', '2', '6'))).toBe(
    'one is 4 but should be 1; three is 6 but should be nothing',
  );
  expect(describeFields(fields, value('1', '2', '3'), '1')).toBe(
    'two is nothing but should be 2; three is nothing but should be 3',
  );
});
