import { expect, it } from 'vitest';
import { FIGURES, readSums } from './exact-sums.ts';

it('reads each figure from the place at which SQL writes it', () => {
  const written = ['trip_count', ...FIGURES].map((figure, place) => [figure, place + 0.25] as const);
  expect(readSums(`{${written.map(([, value]) => value).join(',')}}`)).toEqual(Object.fromEntries(written));
});

it.each(['', '{}', '{1,2}', '{1,2,3,4,5,6,7,8,9,10,NULL}'])('refuses %j, which is not the sums of trips', (text) => {
  expect(() => readSums(text)).toThrow('Not the sums of trips');
});
