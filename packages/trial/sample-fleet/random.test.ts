import { expect, it } from 'vitest';
import { Random } from './random.ts';

const DRAWS = 100_000;

it('a sequence of random numbers depends only on the seed parts, and differs for other parts', () => {
  const sequence = (...parts: number[]) => {
    const random = new Random(...parts);
    return Array.from({ length: 5 }, () => random.integer32()).join();
  };
  expect(sequence(1, 2)).toBe(sequence(1, 2));
  expect(new Set([sequence(1, 2), sequence(2, 1), sequence(1, 3), sequence(1), sequence(1, 2, 0)]).size).toBe(5);
});

it('a pick can return each item of a list, including the first and the last, and refuses an empty list', () => {
  const random = new Random(9);
  const picked = new Set(Array.from({ length: 100 }, () => random.pick(['a', 'b', 'c'])));
  expect([...picked].sort()).toEqual(['a', 'b', 'c']);
  expect(random.pick(['only'])).toBe('only');
  expect(() => random.pick([])).toThrow('Cannot pick an item from an empty list.');
});

it.each<[string, mean: number, variance: number, draw: (random: Random) => number]>([
  ['uniform', 0.5, 1 / 12, (random) => random.uniform()],
  ['normal', 0, 1, (random) => random.normal()],
  ['exponential', 2, 4, (random) => random.exponential(2)],
  ['gamma', 6, 12, (random) => random.gamma(3, 6)],
  ['Poisson', 75, 75, (random) => random.poisson(75)],
])('the %s distribution has the mean %d and the variance %d', (_name, mean, variance, draw) => {
  const random = new Random(7);
  const values = Array.from({ length: DRAWS }, () => draw(random));
  const found = values.reduce((sum, value) => sum + value, 0) / DRAWS;
  const squares = values.reduce((sum, value) => sum + (value - found) ** 2, 0) / DRAWS;
  expect(Math.abs(found - mean)).toBeLessThan(0.02 * Math.sqrt(variance));
  expect(Math.abs(squares / variance - 1)).toBeLessThan(0.03);
});
