import { expect, it } from 'vitest';
import { bucketText } from './change-text.ts';

it('bucketText names both limits of a part of the distribution, or says that there is no upper limit', () => {
  expect(bucketText({ direction: 'fall', at_least: 5, below: 10 })).toBe('−5 to −10');
  expect(bucketText({ direction: 'rise', at_least: 0, below: 1 })).toBe('+0 to +1');
  expect(bucketText({ direction: 'fall', at_least: 20, below: null })).toBe('−20 or more');
  expect(bucketText({ direction: 'rise', at_least: 20, below: null })).toBe('+20 or more');
});
