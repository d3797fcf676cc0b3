import { expect, it } from 'vitest';
import { parseThrottle } from './throttle.ts';

it('parseThrottle parses a word or a number, and returns null for any other text', () => {
  const throttles = ['auto', 'off', ' off ', '1', ' 250 ', '999999999'].map(parseThrottle);
  expect(throttles).toEqual(['auto', 'off', 'off', 1, 250, 999_999_999]);
  const others = ['', 'Auto', 'fast', '0', '-1', '1.5', '010', '1e3', '1000000000', '1 000'];
  expect(others.filter((text) => parseThrottle(text) !== null)).toEqual([]);
});
