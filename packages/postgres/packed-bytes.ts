/** Many values as one: `substring(bytes FROM start FOR length)` is null, as the value was, where start and length are. */
interface PackedBytes {
  bytes: Buffer;
  /** Where each value starts in `bytes`, counted from 1 as SQL does. */
  starts: (number | null)[];
  lengths: (number | null)[];
}

/** Puts binary values behind one another. */
export function packBytes(values: readonly (Uint8Array | null)[]): PackedBytes {
  const starts: (number | null)[] = [];
  const lengths: (number | null)[] = [];
  let start = 1;
  for (const value of values) {
    starts.push(value === null ? null : start);
    lengths.push(value === null ? null : value.byteLength);
    start += value?.byteLength ?? 0;
  }
  return { bytes: Buffer.concat(values.filter((value) => value !== null)), starts, lengths };
}
