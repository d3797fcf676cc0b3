import { describe, expect, it } from 'vitest';
import { compact, remaining } from './progress.ts';

describe('figures beside a progress bar', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [12_345, '12.3 k'],
    [4_560_000, '4.56 M'],
  ])('are shortened: %d', (value, text) => expect(compact(value)).toBe(text));

  it.each([
    [0.2, '1s'],
    [185, '3m05s'],
    [7_800, '2h10m'],
    [Number.POSITIVE_INFINITY, '?'],
  ])('are written as a duration: %d seconds', (seconds, text) => expect(remaining(seconds)).toBe(text));
});
