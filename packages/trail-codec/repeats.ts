/**
 * Numbers that stand still, as a device's do that writes faster than it measures: each of them once, and how often it
 * follows on itself. Columns mostly stand still together, so the lengths may be those of the column before (1 bit).
 */

import type { BitReader } from './bit-reader.ts';
import type { BitWriter } from './bit-writer.ts';
import { TrailPathDamagedError } from './errors.ts';
import { readIntegers, writeIntegers } from './integers.ts';
import { MAXIMUM_TRAIL_POINTS } from './trail-point.ts';

export class Repeats {
  private lengths = new Float64Array(MAXIMUM_TRAIL_POINTS);
  private lengthsBefore = new Float64Array(MAXIMUM_TRAIL_POINTS);
  /** How many lengths there are of the column before. */
  private runsBefore = 0;

  /** Forgets the column before. */
  reset(): void {
    this.runsBefore = 0;
  }

  /** Leaves each run of equal values once in `values`, and returns how many there are; 0 and no change: too few or many. */
  collapse(values: Float64Array, count: number, fewest: number, most: number): number {
    const { lengths } = this;
    let different = 1;
    for (let index = 1; index < count && different <= most; index++)
      if (values[index] !== values[index - 1]) different++;
    if (different > most) return 0;
    let runs = 0;
    let start = 0;
    for (let index = 1; index <= count; index++) {
      // Object.is tells 0 from -0.
      if (index < count && Object.is(values[index], values[start])) continue;
      if (runs >= most) return 0;
      lengths[runs++] = index - start;
      start = index;
    }
    if (runs < fewest) return 0;
    let end = 0;
    for (let run = 0; run < runs; run++) {
      values[run] = values[end] ?? 0;
      end += lengths[run] ?? 0;
    }
    return runs;
  }

  /** Writes the lengths of the `runs` that `collapse` has left. */
  write(writer: BitWriter, runs: number): void {
    const { lengths, lengthsBefore, runsBefore } = this;
    let same = runs === runsBefore;
    for (let run = 0; same && run < runs; run++) same = lengths[run] === lengthsBefore[run];
    writer.write(same ? 1 : 0, 1);
    if (same) return;
    writer.writeNumber(runs);
    writeIntegers(writer, lengths, runs, 0, true);
    this.lengths = lengthsBefore;
    this.lengthsBefore = lengths;
    this.runsBefore = runs;
  }

  /** Reads lengths and returns how many there are. Throws TrailPathDamagedError unless they make `count` values. */
  read(reader: BitReader, count: number): number {
    const { lengthsBefore } = this;
    if (reader.read(1) === 0) {
      this.runsBefore = reader.readNumber();
      if (this.runsBefore > count)
        throw new TrailPathDamagedError(`${count} values cannot have ${this.runsBefore} runs.`);
      if (this.runsBefore > 0) readIntegers(reader, lengthsBefore, this.runsBefore, 0, true);
    }
    let sum = 0;
    for (let run = 0; run < this.runsBefore; run++) {
      const length = lengthsBefore[run] ?? 0;
      if (length < 1) throw new TrailPathDamagedError(`A run has the length ${length}.`);
      sum += length;
    }
    if (sum !== count) throw new TrailPathDamagedError(`Runs of ${count} values make ${sum}.`);
    return this.runsBefore;
  }

  /** Undoes `collapse` for the lengths read last. */
  expand(values: Float64Array, count: number): void {
    let end = count;
    for (let run = this.runsBefore - 1; run >= 0; run--) {
      const start = end - (this.lengthsBefore[run] ?? 0);
      values.fill(values[run] ?? 0, start, end);
      end = start;
    }
  }
}
