/** Residuals that are nearly all zero (regular timestamps): how many are not, and each with its distance from the last. */

import type { BitReader } from './bit-reader.ts';
import type { BitWriter } from './bit-writer.ts';
import { TrailPathDamagedError } from './errors.ts';
import { unzigzag, zigzag } from './zigzag.ts';

/** Writes residuals[i] for 1 <= i < count, of which exactly `nonzero` are not zero. */
export function writeSparse(writer: BitWriter, residuals: Float64Array, count: number, nonzero: number): void {
  writer.writeNumber(nonzero);
  let last = 0;
  for (let index = 1, left = nonzero; left > 0 && index < count; index++) {
    const residual = residuals[index] ?? 0;
    if (residual === 0) continue;
    writer.writeNumber(index - last);
    writer.writeNumber(zigzag(residual));
    last = index;
    left--;
  }
}

/** Reads `count - 1` residuals into residuals[1] and on. */
export function readSparse(reader: BitReader, residuals: Float64Array, count: number): void {
  residuals.fill(0, 1, count);
  const nonzero = reader.readNumber();
  if (nonzero >= count) throw new TrailPathDamagedError(`${count} points cannot have ${nonzero} irregular steps.`);
  let index = 0;
  for (let read = 0; read < nonzero; read++) {
    index += reader.readNumber();
    if (index >= count) throw new TrailPathDamagedError(`An irregular step lies behind the last of ${count} points.`);
    residuals[index] = unzigzag(reader.readNumber());
  }
}
