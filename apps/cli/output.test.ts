import { expect, it } from 'vitest';
import { fieldLines, preview, tableLines } from './output.ts';

it('a table aligns numbers on the right, and its text cannot control the terminal', () => {
  const rows = [
    ['trips', 5],
    ['a\u001b[2Jb\nc', 1000],
    ['none', null],
  ];
  expect(tableLines(['name', 'lag'], rows)).toEqual([
    'name       lag',
    'trips        5',
    'a?[2Jb?c  1000',
    'none         -',
  ]);
});

it('a table of fields writes their names in words, rounds numbers, and shows objects as JSON', () => {
  const entries = [
    { dead_letters: 0.25, is_open: false, note: '', parameters: { id: 7 } },
    { dead_letters: 12.04, is_open: true, note: 'late', parameters: null },
  ];
  expect(fieldLines(entries, ['note', 'dead_letters', 'is_open', 'parameters'])).toEqual([
    'note  dead letters  is open  parameters',
    '               0.3  false    {"id":7}',
    'late            12  true     -',
  ]);
});

it("a record's preview contains no control sequences and no invalid UTF-8, and says how much it omits", () => {
  const bytes = Buffer.concat([Buffer.from('{"a":\t"\u001b[31m\r\n'), Buffer.from([0xff, 0x80])]);
  expect(preview(bytes, bytes.length)).toBe('{"a":\t"\uFFFD[31m\uFFFD\n\uFFFD\uFFFD');
  const whole = 'x'.repeat(2_000);
  expect(preview(Buffer.from(whole), 2_000)).toBe(whole);
  expect(preview(Buffer.from(`${whole}x`), 80_000_000)).toBe(
    `${whole}\n... (80000000 bytes in all: --raw prints them)`,
  );
});
