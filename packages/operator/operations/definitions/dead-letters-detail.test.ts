import { describe, expect, it } from 'vitest';
import { discardedInWords, retriedInWords } from './dead-letters.ts';

describe('the detail of settled dead letters', () => {
  it('counts retried dead letters by outcome', () => {
    const outcomes = ['stored', 'refused', 'stored', 'not_open'];
    expect(retriedInWords(outcomes.map((outcome) => ({ outcome })))).toBe('2 stored, 1 refused, 1 not open');
    expect(retriedInWords([])).toBe('none tried');
  });

  it('lists up to twenty discarded dead letters', () => {
    expect(discardedInWords([])).toBe('0 discarded');
    expect(discardedInWords([4, 9])).toBe('2 discarded: 4, 9');
    const many = Array.from({ length: 21 }, (_, index) => index + 1);
    const shown = many.slice(0, 20);
    expect(discardedInWords(shown)).toBe(`20 discarded: ${shown.join(', ')}`);
    expect(discardedInWords(many)).toBe(`21 discarded: ${many.slice(0, 20).join(', ')}, ...`);
  });
});
