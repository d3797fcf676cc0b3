import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyFinite, anyText } from '../../../test/support/console/arbitrary-values.ts';
import { toCsv } from './csv.ts';

const columns = [
  { name: 'name', value: ([name]: [string | null, number]) => name },
  { name: 'score', value: ([, score]: [string | null, number]) => score },
];

it('toCsv quotes cells that contain separators, and writes missing values as empty cells', () => {
  const csv = toCsv(columns, [
    ['plain', 1.5],
    ['comma, "quote"\nline', -2],
    [null, 0],
  ]);
  expect(csv).toBe('name,score\r\nplain,1.5\r\n"comma, ""quote""\nline",-2\r\n,0\r\n');
});

it.each(['=1+1', '+4912', '-x', '@SUM(A1)', '\tx', '\rx', '\nx', '\n=1+1'])(
  'toCsv prevents a spreadsheet from evaluating %j',
  (name) => {
    expect(toCsv(columns, [[name, 1]])).toContain(`'${name}`);
  },
);

/** Parses a quoted or unquoted CSV field. */
const parsed = (text: string) => (text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text);

it('toCsv preserves every string that a record can contain, and makes none of them a formula', () => {
  fc.assert(
    fc.property(anyText, anyFinite, (name, score) => {
      const csv = toCsv([{ name: 'name', value: ([text]: [string, number]) => text }], [[name, score]]);
      const cell = parsed(csv.slice('name\r\n'.length, -2));
      expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
      expect([name, `'${name}`]).toContain(cell);
      expect(toCsv(columns, [[null, score]])).toBe(`name,score\r\n,${score}\r\n`);
    }),
  );
});

it('toCsv writes numbers that are not finite as empty cells', () => {
  expect(toCsv(columns, [['x', Infinity]])).toBe('name,score\r\nx,\r\n');
});

it.each(['a,b', 'a"b', 'a\rb', 'a\nb'])('toCsv quotes a name and a cell that contain %j', (text) => {
  const quoted = `"${text.replaceAll('"', '""')}"`;
  expect(toCsv([{ name: text, value: () => text }], [[]])).toBe(`${quoted}\r\n${quoted}\r\n`);
});

it('toCsv writes a header even without rows, and changes only the start of a text that begins like a formula', () => {
  expect(toCsv(columns, [])).toBe('name,score\r\n');
  expect(toCsv(columns, [['1+1=2', 0.1]])).toBe('name,score\r\n1+1=2,0.1\r\n');
});
