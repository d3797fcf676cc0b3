import { expect, it } from 'vitest';
import { parseOffset } from './offset.ts';

it('parseOffset reads digits, takes no text for the beginning, and refuses any other text', () => {
  const offsets = ['', '  ', '0', ' 12 ', '999999999999999'].map(parseOffset);
  expect(offsets).toEqual(['beginning', 'beginning', 0, 12, 999_999_999_999_999]);
  const others = ['-1', '1.5', '1e3', 'beginning', '12 13', '1000000000000000', '0x10'];
  expect(others.filter((text) => parseOffset(text) !== null)).toEqual([]);
});
