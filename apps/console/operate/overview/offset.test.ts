import { expect, it } from 'vitest';
import { parseOffset } from './offset.ts';

it.each([
  ['', 'beginning'],
  ['  ', 'beginning'],
  ['0', 0],
  [' 12 ', 12],
  ['999999999999999', 999_999_999_999_999],
])('parseOffset reads "%s"', (text, offset) => {
  expect(parseOffset(text)).toBe(offset);
});

it.each(['-1', '1.5', '1e3', 'beginning', '12 13', '1000000000000000', '0x10'])('parseOffset refuses "%s"', (text) => {
  expect(parseOffset(text)).toBeNull();
});
