import { expect, it } from 'vitest';
import { chunkBySize } from './chunk-by-size.ts';

const LIMITS = { maxItems: 200, maxSize: 8 };
const chunksOf = (sizes: readonly number[]) => [...chunkBySize(sizes, (size) => size, LIMITS)];

it('chunkBySize puts at most the given number of items into a chunk, in order, omits none, and returns none empty', () => {
  const sizes = Array.from({ length: 401 }, (_, index) => index / 100_000);
  const chunks = chunksOf(sizes);
  expect(chunks.map((chunk) => chunk.length)).toEqual([200, 200, 1]);
  expect(chunks.flat()).toEqual(sizes);
  expect(chunksOf([])).toEqual([]);
});

it('chunkBySize puts at most the given size into a chunk, or one larger item', () => {
  expect(chunksOf([5, 3, 1, 16, 2, 2])).toEqual([[5, 3], [1], [16], [2, 2]]);
});
