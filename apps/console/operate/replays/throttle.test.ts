import { expect, it } from 'vitest';
import { parseThrottle } from './throttle.ts';

it.each([
  ['auto', 'auto'],
  ['off', 'off'],
  [' off ', 'off'],
  ['1', 1],
  [' 250 ', 250],
  ['999999999', 999_999_999],
])('parseThrottle parses a word or a number: "%s"', (text, throttle) => {
  expect(parseThrottle(text)).toBe(throttle);
});

it.each(['', 'Auto', 'fast', '0', '-1', '1.5', '010', '1e3', '1000000000', '1 000'])(
  'parseThrottle returns null for any other text: "%s"',
  (text) => {
    expect(parseThrottle(text)).toBeNull();
  },
);
