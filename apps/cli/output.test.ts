import { describe, expect, it } from 'vitest';
import { counted, preview, tableLines } from './output.ts';

it('a count of one has a noun in the singular, and any other count has the plural', () => {
  expect([0, 1, 2].map((count) => counted(count, 'dead letter'))).toEqual([
    '0 dead letters',
    '1 dead letter',
    '2 dead letters',
  ]);
});

describe('a table', () => {
  it('aligns numbers on the right and text on the left', () => {
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

  it('prevents its text from controlling the terminal', () => {
    expect(tableLines(['message'], [['a\u001b[2Jb\nc']])).toEqual(['message', 'a?[2Jb?c']);
  });
});

describe('the preview of a record', () => {
  it('contains no control sequence and no invalid UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":\t"\u001b[31m\r\n'), Buffer.from([0xff, 0x80])]);
    expect(preview(bytes, bytes.length)).toBe('{"a":\t"\uFFFD[31m\uFFFD\n\uFFFD\uFFFD');
  });

  it('says how much it omits', () => {
    expect(preview(Buffer.alloc(5_000, 'x'), 80_000_000)).toContain('80000000 bytes in all');
  });
});
