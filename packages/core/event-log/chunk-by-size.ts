interface ChunkLimits {
  maxItems?: number;
  maxSize: number;
}

/** Splits items into chunks within the limits, in order. An item larger than `maxSize` forms a chunk of its own. */
export function* chunkBySize<Item>(
  items: Iterable<Item>,
  sizeOf: (item: Item) => number,
  { maxItems = Number.POSITIVE_INFINITY, maxSize }: ChunkLimits,
): Generator<Item[]> {
  let chunk: Item[] = [];
  let chunkSize = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (chunk.length > 0 && (chunk.length >= maxItems || chunkSize + size > maxSize)) {
      yield chunk;
      chunk = [];
      chunkSize = 0;
    }
    chunk.push(item);
    chunkSize += size;
  }
  if (chunk.length > 0) yield chunk;
}
