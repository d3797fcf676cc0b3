import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { throttle } from './rate.ts';

describe('a throttle on the command line', () => {
  it.each([
    ['auto', 'auto'],
    ['off', 'off'],
    ['1', 1],
    ['20000', 20_000],
    ['999999999', 999_999_999],
  ])('takes %s', (text, value) => expect(throttle(text)).toBe(value));

  it.each(['0', '-1', '1.5', '1e3', '1000000000', '007', '', 'fast', 'AUTO', '20k'])(
    'refuses %j, which the database would not take either',
    (text) => expect(() => throttle(text)).toThrow(InvalidArgumentError),
  );
});
