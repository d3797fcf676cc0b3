import { expect, it } from 'vitest';
import { batchesOf } from './retry-dead-letters.ts';

const MEGABYTE = 1024 * 1024;
const candidates = (...sizes: number[]) => sizes.map((raw_bytes, index) => ({ id: index + 1, raw_bytes }));

it('batchesOf puts at most 200 dead letters into a batch, in order, omits none, and returns no empty batch', () => {
  const batches = [...batchesOf(candidates(...Array.from({ length: 401 }, () => 10)))];
  expect(batches.map((batch) => batch.length)).toEqual([200, 200, 1]);
  expect(batches.flat()).toEqual(Array.from({ length: 401 }, (_, index) => index + 1));
  expect([...batchesOf([])]).toEqual([]);
});

it('batchesOf puts at most 8 MiB into a batch, or one larger dead letter', () => {
  const sizes = [5, 3, 1, 16, 2, 2].map((size) => size * MEGABYTE);
  expect([...batchesOf(candidates(...sizes))]).toEqual([[1, 2], [3], [4], [5, 6]]);
});
