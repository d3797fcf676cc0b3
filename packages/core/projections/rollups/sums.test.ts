import { expect, it } from 'vitest';
import { SUMMED, toDrivingFigures } from './sums.ts';

it('toDrivingFigures reads each figure at the index at which SQL writes it', () => {
  const written = SUMMED.map((figure, place) => [figure, place + 0.25] as const);
  const figures = toDrivingFigures(`{${written.map(([, value]) => value).join(',')}}`);
  expect(figures).toMatchObject(Object.fromEntries(written));
});

it.each(['', '{}', '{1,2}', '{1,2,3,4,5,6,7,8,9,10,NULL}'])(
  'toDrivingFigures refuses %j, which does not contain the sums of trips',
  (text) => {
    expect(() => toDrivingFigures(text)).toThrow('Not the sums of trips');
  },
);

it('toDrivingFigures caps each sum at the largest double, because JSON has no infinity', () => {
  const figures = toDrivingFigures(`{${SUMMED.map(() => `1${'0'.repeat(400)}`).join(',')}}`);
  expect(figures).toMatchObject(Object.fromEntries(SUMMED.map((figure) => [figure, Number.MAX_VALUE])));
});
