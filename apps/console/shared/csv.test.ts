import { expect, it } from 'vitest';
import { toCsv } from './csv.ts';

const columns = [
  { name: 'name', value: ([name]: [string | null, number]) => name },
  { name: 'score', value: ([, score]: [string | null, number]) => score },
];

it('quotes what would break a line, and leaves nothing where there is no value', () => {
  const csv = toCsv(columns, [
    ['plain', 1.5],
    ['comma, "quote"\nline', -2],
    [null, 0],
  ]);
  expect(csv).toBe('name,score\r\nplain,1.5\r\n"comma, ""quote""\nline",-2\r\n,0\r\n');
});

it.each(['=1+1', '+4912', '-x', '@SUM(A1)', '\tx'])('lets no spreadsheet run %j', (name) => {
  expect(toCsv(columns, [[name, 1]])).toContain(`'${name}`);
});
