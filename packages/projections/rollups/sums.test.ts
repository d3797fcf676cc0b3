import { expect, it } from 'vitest';
import { SUMMED, toDrivingFigures } from './sums.ts';

it('reads each figure from the place at which SQL writes it', () => {
  const written = SUMMED.map((figure, place) => [figure, place + 0.25] as const);
  const figures = toDrivingFigures(`{${written.map(([, value]) => value).join(',')}}`);
  expect(figures).toMatchObject(Object.fromEntries(written));
});

it.each(['', '{}', '{1,2}', '{1,2,3,4,5,6,7,8,9,10,NULL}'])('refuses %j, which is not the sums of trips', (text) => {
  expect(() => toDrivingFigures(text)).toThrow('Not the sums of trips');
});
