/** A column of numbers that the compact form cannot give back, as the 64 bits of each: every float64 is kept as it is. */

import type { BitReader } from './bit-reader.ts';
import type { BitWriter } from './bit-writer.ts';
import { TrailPathDamagedError } from './errors.ts';

const FLOAT_BYTES = 8;

const float = new DataView(new ArrayBuffer(FLOAT_BYTES));

export function writeRaw(writer: BitWriter, values: Float64Array, count: number): void {
  for (let index = 0; index < count; index++) {
    float.setFloat64(0, values[index] ?? 0, true);
    for (let byte = 0; byte < FLOAT_BYTES; byte += 2) writer.write(float.getUint16(byte, true), 16);
  }
}

export function readRaw(reader: BitReader, values: Float64Array, count: number): void {
  for (let index = 0; index < count; index++) {
    for (let byte = 0; byte < FLOAT_BYTES; byte += 2) float.setUint16(byte, reader.read(16), true);
    const value = float.getFloat64(0, true);
    if (!Number.isFinite(value))
      throw new TrailPathDamagedError(`Number ${index} of a column is ${value}, not finite.`);
    values[index] = value;
  }
}
