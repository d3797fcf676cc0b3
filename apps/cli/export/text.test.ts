import type { Row } from '@milepost/projections/exports';
import { expect, it } from 'vitest';
import { csvChunks, ndjsonChunks } from './text.ts';

async function* pagesOf(...pages: Row[][]): AsyncGenerator<Row[]> {
  yield* pages;
}

const NAMES = ['id', 'figure', 'flag'];
const ROWS: Row[] = [
  { id: 'plain', figure: -0, flag: false },
  { id: 'a "b", c', figure: 0, flag: true },
  { id: '=1\n', figure: 1e21, flag: null },
  { id: 'd\r', figure: 2.5, flag: true },
];

it('a CSV file quotes only fields that need it, keeps the sign of zero, and leaves a null empty', async () => {
  expect(await Array.fromAsync(csvChunks(NAMES, pagesOf(ROWS.slice(0, 1), [], ROWS.slice(1))))).toEqual([
    'id,figure,flag\r\n',
    'plain,-0,false\r\n',
    '',
    '"a ""b"", c",0,true\r\n"=1\n",1e+21,\r\n"d\r",2.5,true\r\n',
  ]);
});

it('each line of JSON contains all names in order, and keeps the sign of zero', async () => {
  expect(await Array.fromAsync(ndjsonChunks([...NAMES, 'missing'], pagesOf(ROWS.slice(0, 3))))).toEqual([
    '{"id":"plain","figure":-0,"flag":false,"missing":null}\n{"id":"a \\"b\\", c","figure":0,"flag":true,"missing":null}\n{"id":"=1\\n","figure":1e+21,"flag":null,"missing":null}\n',
  ]);
});
