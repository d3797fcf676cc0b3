import type { Row } from '@milepost/projections/exports';
import { expect, it } from 'vitest';
import { parquetChunks } from './parquet.ts';

const COLUMNS = { id: 'text', trip_count: 'integer', score: 'integer?', start: 'time' } as const;
const ROW: Row = { id: 'a', trip_count: 1, score: null, start: 0 };
const MAX_GROUP_ROWS = 20_000;

async function chunksOf(...pages: Row[][]): Promise<Uint8Array[]> {
  async function* read(): AsyncGenerator<Row[]> {
    yield* pages;
  }
  return await Array.fromAsync(parquetChunks(COLUMNS, read()));
}

const MAGIC = [...Buffer.from('PAR1')];
const startOf = (chunks: Uint8Array[]) => [...Buffer.concat(chunks).subarray(0, 4)];
const endOf = (chunks: Uint8Array[]) => [...Buffer.concat(chunks).subarray(-4)];

it.each([2 ** 63, -(2 ** 63) - 2_048, 1e21])(
  'the count %d is refused, because it would be stored as a different number',
  async (count) => {
    const sentence = `The count ${count} does not fit in 64 bits: export CSV or NDJSON instead.`;
    await expect(chunksOf([{ ...ROW, trip_count: count }])).rejects.toThrow(new RangeError(sentence));
    await expect(chunksOf([{ ...ROW, score: count }])).rejects.toThrow(RangeError);
  },
);

it.each([-(2 ** 63), 2 ** 63 - 1_024, 0, -1])('the count %d fits', async (count) => {
  const chunks = await chunksOf([{ ...ROW, trip_count: count }]);
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(count));
  expect(Buffer.concat(chunks).includes(bytes)).toBe(true);
});

it('a file without rows is complete', async () => {
  const chunks = await chunksOf();
  expect(chunks).toHaveLength(1);
  expect([startOf(chunks), endOf(chunks)]).toEqual([MAGIC, MAGIC]);
});

it('a full group of rows is written as soon as the page ends, and the remaining rows with the footer', async () => {
  const rows = (count: number) => Array.from({ length: count }, () => ROW);
  expect(await chunksOf(rows(MAX_GROUP_ROWS - 1))).toHaveLength(2);
  expect(await chunksOf(rows(MAX_GROUP_ROWS))).toHaveLength(2);
  expect(await chunksOf(rows(MAX_GROUP_ROWS), rows(1))).toHaveLength(3);
  const chunks = await chunksOf(rows(MAX_GROUP_ROWS - 1), rows(1), rows(1));
  expect(chunks).toHaveLength(3);
  expect([startOf(chunks), endOf(chunks)]).toEqual([MAGIC, MAGIC]);
});
