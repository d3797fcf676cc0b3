import { expect, it } from 'vitest';
import { bucketText, chainText, integerText, secondsText, wordsOf } from './text.ts';

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

it.each([
  [null, null, ''],
  [1_200, null, ', supersedes 1,200'],
  [null, 7, ', superseded by 7'],
  [1_200, 1_300, ', supersedes 1,200, superseded by 1,300'],
])('chainText names the superseded position (%s) and the superseding one (%s)', (supersedes, superseded_by, text) => {
  expect(chainText({ supersedes, superseded_by })).toBe(text);
});

it('bucketText names both limits of a part of the distribution, or says that there is no upper limit', () => {
  expect(bucketText({ direction: 'fall', at_least: 5, below: 10 })).toBe('−5 to −10');
  expect(bucketText({ direction: 'rise', at_least: 0, below: 1 })).toBe('+0 to +1');
  expect(bucketText({ direction: 'fall', at_least: 20, below: null })).toBe('−20 or more');
  expect(bucketText({ direction: 'rise', at_least: 20, below: null })).toBe('+20 or more');
});
