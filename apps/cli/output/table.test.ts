import { describe, expect, it } from 'vitest';
import { tableLines } from './table.ts';

describe('a table', () => {
  it('lines numbers up on the right and text on the left', () => {
    expect(
      tableLines(
        ['name', 'lag'],
        [
          ['trips', 5],
          ['a', 1000],
          ['none', null],
        ],
      ),
    ).toEqual(['name    lag', 'trips     5', 'a      1000', 'none      -']);
  });

  it('lets no foreign text control the terminal', () => {
    expect(tableLines(['message'], [['a\u001b[2Jb\nc']])).toEqual(['message', 'a?[2Jb?c']);
  });
});
