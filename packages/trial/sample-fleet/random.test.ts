import { describe, expect, it } from 'vitest';
import { gammaFromNormal, negativeBinomialShape, Random } from './random.ts';

const DRAWS = 200_000;

/** Returns the mean and the coefficient of variation of many draws. */
function momentsOf(draw: () => number) {
  let sum = 0;
  let squares = 0;
  for (let count = 0; count < DRAWS; count++) {
    const value = draw();
    sum += value;
    squares += value * value;
  }
  const mean = sum / DRAWS;
  return { mean, variation: Math.sqrt(squares / DRAWS - mean * mean) / mean };
}

describe('Random', () => {
  it('returns the same sequence for the same seed parts, and a different one for any others', () => {
    const sequence = (...parts: number[]) => {
      const random = new Random(...parts);
      return Array.from({ length: 5 }, () => random.integer32());
    };
    expect(sequence(1, 2)).toEqual(sequence(1, 2));
    const all = [sequence(1, 2), sequence(2, 1), sequence(1, 3), sequence(1), sequence(1, 2, 0)];
    expect(new Set(all.map(String)).size).toBe(all.length);
  });

  it('returns the same sequence in every release, so that a seed always gives the same fleet', () => {
    const random = new Random(42);
    expect([random.integer32(), random.integer32(), random.integer32()]).toMatchInlineSnapshot(`
      [
        -1020916921,
        869073962,
        1274539978,
      ]
    `);
  });

  it('picks each item of a list, also the first and the last one, and none of an empty list', () => {
    const random = new Random(9);
    const picked = new Set(Array.from({ length: 100 }, () => random.pick(['a', 'b', 'c'])));
    expect([...picked].sort()).toEqual(['a', 'b', 'c']);
    expect(random.pick(['only'])).toBe('only');
    expect(() => random.pick([])).toThrow('Cannot pick an item from an empty list.');
  });

  it('draws from the uniform and the normal distribution', () => {
    const random = new Random(7);
    expect(momentsOf(() => random.uniform()).mean).toBeCloseTo(0.5, 2);
    const shifted = momentsOf(() => 10 + random.normal());
    expect(shifted.mean).toBeCloseTo(10, 1);
    expect(shifted.variation).toBeCloseTo(0.1, 2);
  });

  it('draws gamma values and Poisson counts with the requested mean and variation', () => {
    const random = new Random(8);
    const gamma = momentsOf(() => random.gamma(3, 6));
    expect(gamma.mean).toBeCloseTo(6, 1);
    expect(gamma.variation).toBeCloseTo(1 / Math.sqrt(3), 1);
    expect(momentsOf(() => random.gamma(0.5, 2)).mean).toBeCloseTo(2, 1);
    const poisson = momentsOf(() => random.poisson(75));
    expect(poisson.mean / 75).toBeCloseTo(1, 2);
    expect(poisson.variation).toBeCloseTo(1 / Math.sqrt(75), 2);
  });

  it('draws negative binomial counts with the variation from which their shape was computed', () => {
    const random = new Random(9);
    const shape = negativeBinomialShape(6, 0.7);
    const counts = momentsOf(() => random.negativeBinomial(6, shape));
    expect(counts.mean).toBeCloseTo(6, 1);
    expect(counts.variation).toBeCloseTo(0.7, 1);
    expect(() => negativeBinomialShape(1, 0.5)).toThrow('needs a greater variance');
  });

  it('converts a normal value to a gamma value with the same mean and variation', () => {
    const random = new Random(10);
    const rates = momentsOf(() => gammaFromNormal(random.normal(), 5, 0.9));
    expect(rates.mean).toBeCloseTo(5, 1);
    expect(rates.variation).toBeCloseTo(0.9, 1);
  });
});
