interface PieceLimits {
  items: number;
  bytes: number;
}

/** Cuts items, in their order, into pieces within the limits; one that is larger than they allow is a piece alone. */
export function* cut<Item>(
  items: Iterable<Item>,
  bytesOf: (item: Item) => number,
  limits: PieceLimits,
): Generator<Item[]> {
  let piece: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = bytesOf(item);
    if (piece.length > 0 && (piece.length === limits.items || bytes + size > limits.bytes)) {
      yield piece;
      piece = [];
      bytes = 0;
    }
    piece.push(item);
    bytes += size;
  }
  if (piece.length > 0) yield piece;
}
