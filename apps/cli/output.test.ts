import { describe, expect, it } from 'vitest';
import { counted, fieldLines, preview, tableLines } from './output.ts';

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

describe('a table of fields', () => {
  it('has a line per entry, and the names of the fields in words', () => {
    const entries = [
      { dead_letters: 0, is_open: false, note: '' },
      { dead_letters: 12, is_open: true, note: 'late' },
    ];
    expect(fieldLines(entries, ['note', 'dead_letters', 'is_open'])).toEqual([
      'note  dead letters  is open',
      '                 0  false',
      'late            12  true',
    ]);
    expect(fieldLines([], ['note'])).toEqual(['note']);
  });

  it('rounds numbers to one decimal place, and shows a missing value as a dash', () => {
    const lines = fieldLines([{ lag: 0.25 }, { lag: 12.04 }, { lag: null }, { lag: undefined }], ['lag']);
    expect(lines).toEqual(['lag', '0.3', ' 12', '  -', '  -']);
  });

  it('shows an object as JSON', () => {
    expect(fieldLines([{ parameters: { id: 7 } }], ['parameters'])).toEqual(['parameters', '{"id":7}']);
  });
});

describe('the preview of a record', () => {
  it('contains no control sequence and no invalid UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":\t"\u001b[31m\r\n'), Buffer.from([0xff, 0x80])]);
    expect(preview(bytes, bytes.length)).toBe('{"a":\t"\uFFFD[31m\uFFFD\n\uFFFD\uFFFD');
  });

  it('is the whole record up to 2,000 bytes, and does not mention a rest', () => {
    const whole = Buffer.alloc(2_000, 'x');
    expect(preview(whole, 2_000)).toBe(whole.toString());
    const longer = preview(Buffer.alloc(2_001, 'x'), 2_001);
    expect(longer).toBe(`${whole}\n... (2001 bytes in all: --raw prints them)`);
  });

  it('says how much it omits', () => {
    expect(preview(Buffer.alloc(5_000, 'x'), 80_000_000)).toContain('80000000 bytes in all');
  });
});
