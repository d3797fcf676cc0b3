import { expect, it } from 'vitest';
import { integerText, secondsText, wordsOf } from './text.ts';

it('integerText groups thousands, and distinguishes 0 from a missing value', () => {
  expect([0, 999, 1_234_567, -1_000, null].map(integerText)).toEqual(['0', '999', '1,234,567', '-1,000', '–']);
});

it('secondsText shows a decimal place only below ten seconds', () => {
  expect([0, 0.04, 1.25, 9.94, 10, 45.6, 90, 5_400].map(secondsText)).toEqual([
    '0.0 s',
    '0.0 s',
    '1.3 s',
    '9.9 s',
    '10 s',
    '46 s',
    '1 min 30 s',
    '1 h 30 min',
  ]);
});

it('wordsOf separates all words in a value', () => {
  expect(wordsOf('start_time_in_future')).toBe('start time in future');
  expect(wordsOf('running')).toBe('running');
});
