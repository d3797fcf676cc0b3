import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyFinite, anyText } from '../../../test/support/console/arbitrary-values.ts';
import { toCsv } from './csv.ts';

const columns = [
  { name: 'name', value: ([name]: [string | null, number]) => name },
  { name: 'score', value: ([, score]: [string | null, number]) => score },
];

/** Parses a CSV text as RFC 4180 describes it. */
function parsed(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') rows.push([]);
  }
  return rows.slice(0, -1);
}

const special = fc.string({ unit: fc.constantFrom(...',"\r\n\t=+-@\'a1') });

it('toCsv preserves every string and number that a record can contain, and turns no string into a formula', () => {
  const rows = fc.array(fc.tuple(fc.oneof(anyText, special), anyFinite));
  fc.assert(
    fc.property(rows, special, (cells, title) => {
      const columns = [
        { name: title, value: ([text]: [string, number]) => text },
        { name: 'number', value: ([, number]: [string, number]) => number },
      ];
      const spelled = (text: string) => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text);
      const expected = cells.map(([text, number]) => [spelled(text), String(number)]);
      expect(parsed(toCsv(columns, cells))).toEqual([[spelled(title), 'number'], ...expected]);
    }),
  );
});

it('toCsv quotes only the cells that need it, and writes missing and infinite values as empty cells', () => {
  const csv = toCsv(columns, [
    ['plain', 1.5],
    ['comma, "quote"\nline', -2],
    [null, 0],
    ['1+1=2', Infinity],
  ]);
  expect(csv).toBe('name,score\r\nplain,1.5\r\n"comma, ""quote""\nline",-2\r\n,0\r\n1+1=2,\r\n');
});
