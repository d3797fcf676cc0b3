/**
 * Concatenates binary values. SQL reads each with `substring(bytes FROM start FOR length)`, which is null where start
 * and length are null. Each start is counted from 1, as in SQL.
 */
export function packBytes(values: readonly (Uint8Array | null)[]) {
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
