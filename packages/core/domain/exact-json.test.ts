import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exactJson } from './exact-json.ts';

it('exactJson preserves every value bit for bit, and differs from JSON.stringify only for -0', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = exactJson({ value, zero: -0, first: 0, absent: undefined });
      expect(JSON.parse(text)).toStrictEqual({ value, zero: -0, first: 0 });
      expect(exactJson(value).replaceAll(/(^|[:,[])-0(?=$|[,}\]])/g, '$10')).toBe(JSON.stringify(value));
    }),
  );
  expect(exactJson([{ a: 1, b: -0 }])).toBe('[{"a":1,"b":-0}]');
});
