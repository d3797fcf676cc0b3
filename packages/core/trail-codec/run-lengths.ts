/**
 * Runs of equal values come from devices that write faster than they measure. Each value is stored once with the length
 * of its run. The values in all columns usually repeat at the same points, so a column can reuse the run lengths of the
 * previous one (1 bit).
 */

import { MAX_TRAIL_POINTS } from '@milepost/domain/vocabulary';
import type { BitReader, BitWriter } from './bit-stream.ts';
import { DamagedBytesError } from './checksum.ts';
import { readIntegers, writeIntegers } from './integers.ts';

export class RunLengths {
  private lengths = new Float64Array(MAX_TRAIL_POINTS);
  private previousLengths = new Float64Array(MAX_TRAIL_POINTS);
  private previousRuns = 0;

  /** Forgets the lengths of the previous column. */
  reset(): void {
    this.previousRuns = 0;
  }

  /**
   * Keeps only one value of each run in `values`, and returns the number of runs. Changes nothing and returns 0 unless
   * there are `min` to `max` runs.
   */
  collapse(values: Float64Array, count: number, min: number, max: number): number {
    const { lengths } = this;
    let changes = 1;
    for (let index = 1; index < count && changes <= max; index++) if (values[index] !== values[index - 1]) changes++;
    if (changes > max) return 0;
    let runs = 0;
    let start = 0;
    for (let index = 1; index <= count; index++) {
      // Unlike `===`, Object.is distinguishes 0 and -0.
      if (index < count && Object.is(values[index], values[start])) continue;
      if (runs >= max) return 0;
      lengths[runs++] = index - start;
      start = index;
    }
    if (runs < min) return 0;
    let end = 0;
    for (let run = 0; run < runs; run++) {
      values[run] = values[end] ?? 0;
      end += lengths[run] ?? 0;
    }
    return runs;
  }

  /** Writes the lengths of the `runs` returned by `collapse`. */
  write(writer: BitWriter, runs: number): void {
    const { lengths, previousLengths, previousRuns } = this;
    let isSame = runs === previousRuns;
    for (let run = 0; isSame && run < runs; run++) isSame = lengths[run] === previousLengths[run];
    writer.write(isSame ? 1 : 0, 1);
    if (isSame) return;
    writer.writeNumber(runs);
    writeIntegers(writer, lengths, runs, 0);
    this.lengths = previousLengths;
    this.previousLengths = lengths;
    this.previousRuns = runs;
  }

  /** Reads lengths and returns their number. Throws DamagedBytesError unless their sum is `count`. */
  read(reader: BitReader, count: number): number {
    const { previousLengths: lengths } = this;
    if (reader.read(1) === 0) {
      const runs = reader.readNumber();
      if (runs > count) throw new DamagedBytesError(`${count} values cannot have ${runs} runs.`);
      if (runs > 0) readIntegers(reader, lengths, runs, 0);
      this.previousRuns = runs;
    }
    let sum = 0;
    for (let run = 0; run < this.previousRuns; run++) {
      const length = lengths[run] ?? 0;
      if (length < 1) throw new DamagedBytesError(`A run has the length ${length}.`);
      sum += length;
    }
    if (sum !== count)
      throw new DamagedBytesError(`The lengths of the runs add up to ${sum}, but there are ${count} values.`);
    return this.previousRuns;
  }

  /** Reverses `collapse`, with the lengths from the last `read`. */
  expand(values: Float64Array, count: number): void {
    let end = count;
    for (let run = this.previousRuns - 1; run >= 0; run--) {
      const start = end - (this.previousLengths[run] ?? 0);
      values.fill(values[run] ?? 0, start, end);
      end = start;
    }
  }
}
