import { describe, expect, it } from 'vitest';
import { discardedInWords, retriedInWords } from './operations.ts';

describe('what came of settled dead letters', () => {
  it('counts retried ones by their outcomes', () => {
    const outcomes = ['stored', 'refused', 'stored', 'not_open'];
    expect(retriedInWords(outcomes.map((outcome) => ({ outcome })))).toBe('2 stored, 1 refused, 1 not open');
    expect(retriedInWords([])).toBe('none tried');
  });

  it('names discarded ones, up to twenty', () => {
    expect(discardedInWords([])).toBe('0 discarded');
    expect(discardedInWords([4, 9])).toBe('2 discarded: 4, 9');
    const many = Array.from({ length: 21 }, (_, index) => index + 1);
    expect(discardedInWords(many)).toBe(`21 discarded: ${many.slice(0, 20).join(', ')}, ...`);
  });
});
