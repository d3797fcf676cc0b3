import { expect, it } from 'vitest';
import { auditedValue, describeFields } from './audit.ts';

it('auditedValue needs an expression for each of its fields', () => {
  expect(auditedValue(['one', 'other'], { other: 'b', one: 'a' })).toBe(`concat(a, E'\\x1f', b)`);
  expect(() => auditedValue(['one', 'other'], { one: 'a' })).toThrow('The audited value lacks its field other.');
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
