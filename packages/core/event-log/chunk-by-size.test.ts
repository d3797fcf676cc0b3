import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkBySize } from './chunk-by-size.ts';

describe('chunks of items', () => {
  const sizes = fc.array(fc.nat(20), { maxLength: 50 });
  const limits = fc.record({
    maxItems: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    maxSize: fc.nat(30),
  });

  it('contain all items in order, and are as large as the limits allow', () => {
    fc.assert(
      fc.property(sizes, limits, (items, { maxItems = Number.POSITIVE_INFINITY, maxSize }) => {
        const chunks = [...chunkBySize(items, (size) => size, { maxItems, maxSize })];
        const total = (chunk: readonly number[]) => chunk.reduce((sum, size) => sum + size, 0);
        expect(chunks.flat()).toEqual(items);
        for (const [index, chunk] of chunks.entries()) {
          expect(chunk.length).toBeGreaterThan(0);
          expect(chunk.length).toBeLessThanOrEqual(maxItems);
          if (chunk.length > 1) expect(total(chunk)).toBeLessThanOrEqual(maxSize);
          const next = chunks[index + 1]?.[0];
          if (next !== undefined) expect(chunk.length === maxItems || total(chunk) + next > maxSize).toBe(true);
        }
      }),
    );
  });

  it('are formed without reading items beyond the chunk', () => {
    function* endless() {
      for (;;) yield 1;
    }
    const [first] = chunkBySize(endless(), (size) => size, { maxSize: 3 });
    expect(first).toEqual([1, 1, 1]);
  });
});
