import { describe, expect, it } from 'vitest';
import { preview, tableLines } from './output.ts';

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

describe('the preview of a record', () => {
  it('hands no control sequence and no broken UTF-8 to the terminal', () => {
    const shown = preview(Buffer.concat([Buffer.from('{"a":\t"\u001b[31m\r\n'), Buffer.from([0xff, 0x80])]));
    expect(shown).toBe('{"a":\t"\uFFFD[31m\uFFFD\n\uFFFD\uFFFD');
  });

  it('says how much it leaves out', () => {
    expect(preview(Buffer.alloc(5_000, 'x'))).toContain('5000 bytes in all');
  });
});
