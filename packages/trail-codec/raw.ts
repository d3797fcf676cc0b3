/** Doubles as they are, 64 bits each. */

import type { BitReader } from './bit-reader.ts';
import type { BitWriter } from './bit-writer.ts';
import { TrailPathDamagedError } from './errors.ts';

// The lower word comes first: the processors that the embedded PostgreSQL and Node run on here are little-endian.
const double = new Float64Array(1);
const words = new Int32Array(double.buffer);
const HALF = 0xffff;

export function writeDouble(writer: BitWriter, value: number): void {
  double[0] = value;
  for (const word of words) {
    writer.write(word & HALF, 16);
    writer.write(word >>> 16, 16);
  }
}

/** Throws TrailPathDamagedError when the double is not finite. */
export function readDouble(reader: BitReader): number {
  for (let index = 0; index < words.length; index++) {
    const low = reader.read(16);
    words[index] = low | (reader.read(16) << 16);
  }
  const [value = 0] = double;
  if (!Number.isFinite(value)) throw new TrailPathDamagedError(`A number is ${value}, not finite.`);
  return value;
}
