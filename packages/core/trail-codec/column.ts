/**
 * The bits of a column are its form (4 bits) and its content. In forms 0 to 9, the values are multiplied by 10^form and
 * stored as integers. Form 10 stores doubles that are close to a scale's values. Form 11 stores the lengths of runs of
 * equal values and is followed by another form. Form 15 stores plain doubles.
 */

import { MAX_TRAIL_POINTS } from '@milepost/domain/vocabulary';
import { readApproximations, writeApproximations } from './approximations.ts';
import { type BitReader, type BitWriter, DamagedBytesError } from './bit-stream.ts';
import { DEGREES_PER_TURN, MAX_INTEGER, readIntegers, writeIntegers } from './integers.ts';

/** A decoded column, in which value = numbers[i] / 10^decimals. */
export interface Column {
  readonly numbers: Float64Array;
  decimals: number;
  /** Bounds of the numbers; infinite for a column of doubles. */
  min: number;
  max: number;
}

/** The format of a path, whose bits precede all others. */
export const FORMAT = 1;
export const FORMAT_BITS = 8;
export const MAX_DECIMALS = 9;

const FORM_BITS = 4;
const [APPROXIMATIONS, RUNS, DOUBLES] = [10, 11, 15] as const;
const DOUBLE_BITS = 64;
/** An upper bound on a value's size in any form, including its integer, difference, run length and exception. */
const MAX_VALUE_BYTES = 40;
const HEADER_BYTES = 128;
/**
 * Runs of whole numbers save space when there are at least `MIN_RUNS` of them, with a mean length of at least
 * `MIN_MEAN_RUN_LENGTH`.
 */
const [MIN_RUNS, MIN_MEAN_RUN_LENGTH] = [16, 3] as const;
/** Runs of doubles save space when at least 1 / `REPETITION_SHARE` of the values equal their predecessors. */
const REPETITION_SHARE = 16;

/**
 * Runs of equal values come from devices that write faster than they measure. Each value is stored once with the length
 * of its run. The values in all columns usually repeat at the same points, so a column can reuse the run lengths of the
 * previous one (1 bit).
 */
class RunLengths {
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

const integers = new Float64Array(MAX_TRAIL_POINTS);
const runLengths = new RunLengths();

/** Returns the maximum size of a column of `count` numbers. */
export function maxColumnBytes(count: number): number {
  return HEADER_BYTES + MAX_VALUE_BYTES * count;
}

/**
 * Writes integer = value * 10^decimals for all `count` values into `integers`. Returns the minimum number of decimals,
 * 0 to 9, that restores every value bit for bit; -1 when none does.
 */
function toIntegers(values: Float64Array, count: number): number {
  let decimals = 0;
  let power = 1;
  for (let index = 0; index < count; ) {
    const value = values[index] ?? 0;
    const integer = Math.round(value * power);
    // The integer 0 would lose the sign of -0. Only Object.is distinguishes -0 from 0.
    if (integer / power === value && Math.abs(integer) <= MAX_INTEGER && !Object.is(value, -0)) {
      integers[index++] = integer;
      continue;
    }
    // This value needs more decimals, and so does the column. Find how many decimals this value needs, and start again.
    do {
      decimals++;
      power = 10 ** decimals;
      if (decimals > MAX_DECIMALS) return -1;
    } while (Math.round(value * power) / power !== value);
    index = 0;
  }
  return decimals;
}

/** Writes the columns of one path, of `count` (at least 1) numbers each. */
export class ColumnWriter {
  private readonly writer: BitWriter;
  private readonly count: number;

  constructor(writer: BitWriter, count: number) {
    this.writer = writer;
    this.count = count;
    runLengths.reset();
  }

  /** Writes values in the most suitable form, and may overwrite `values`. */
  writeValues(values: Float64Array, isCyclic: boolean): void {
    const { writer, count } = this;
    const decimals = toIntegers(values, count);
    if (decimals >= 0 && this.writeIntegers(integers, decimals, isCyclic)) return;
    const runs = this.writeRuns(values, 1, count - Math.ceil(count / REPETITION_SHARE));
    const start = writer.bits;
    writer.write(APPROXIMATIONS, FORM_BITS);
    const isWritten = writeApproximations(writer, values, runs, isCyclic);
    if (isWritten && writer.bits - start <= FORM_BITS + runs * DOUBLE_BITS) return;
    writer.rewind(start);
    writer.write(DOUBLES, FORM_BITS);
    for (let run = 0; run < runs; run++) writer.writeDouble(values[run] ?? 0);
  }

  /**
   * Writes values given as integers, where integer = value * 10^decimals, and `decimals` is the minimum number that
   * restores every value. Writes nothing and returns false when a step between two integers is too large.
   */
  writeIntegers(integers: Float64Array, decimals: number, isCyclic: boolean): boolean {
    const { writer, count } = this;
    const start = writer.bits;
    const runs = this.writeRuns(integers, MIN_RUNS, Math.floor(count / MIN_MEAN_RUN_LENGTH));
    writer.write(decimals, FORM_BITS);
    const turn = isCyclic ? DEGREES_PER_TURN * 10 ** decimals : 0;
    if (writeIntegers(writer, integers, runs, turn)) return true;
    writer.rewind(start);
    // The next column must not reuse the discarded lengths.
    runLengths.reset();
    return false;
  }

  /**
   * If there are `min` to `max` runs, writes their lengths and keeps only one value of each run in `values`. Returns
   * the number of remaining values.
   */
  private writeRuns(values: Float64Array, min: number, max: number): number {
    const runs = runLengths.collapse(values, this.count, min, max);
    if (runs === 0) return this.count;
    this.writer.write(RUNS, FORM_BITS);
    runLengths.write(this.writer, runs);
    return runs;
  }
}

/** Reads the columns of a path, of `count` (at least 1) numbers each. Throws DamagedBytesError. */
export function readColumns(reader: BitReader, columns: readonly Column[], count: number): void {
  runLengths.reset();
  for (const column of columns) readColumn(reader, column, count);
}

function readColumn(reader: BitReader, column: Column, count: number): void {
  const { numbers } = column;
  let form = reader.read(FORM_BITS);
  const hasRuns = form === RUNS;
  const runs = hasRuns ? runLengths.read(reader, count) : count;
  if (hasRuns) form = reader.read(FORM_BITS);
  if (form <= MAX_DECIMALS) {
    readIntegers(reader, numbers, runs, DEGREES_PER_TURN * 10 ** form);
    column.decimals = form;
    setBounds(column, runs);
  } else {
    if (form === DOUBLES) for (let run = 0; run < runs; run++) numbers[run] = reader.readDouble();
    else if (form === APPROXIMATIONS) readApproximations(reader, numbers, runs);
    else throw new DamagedBytesError(`The column form ${form} is unknown.`);
    column.decimals = 0;
    column.min = Number.NEGATIVE_INFINITY;
    column.max = Number.POSITIVE_INFINITY;
  }
  if (hasRuns) runLengths.expand(numbers, count);
}

/** Throws DamagedBytesError when a number exceeds the range of `toIntegers`. */
function setBounds(column: Column, count: number): void {
  const { numbers } = column;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < count; index++) {
    const number = numbers[index] ?? 0;
    if (number < min) min = number;
    if (number > max) max = number;
  }
  if (!(min >= -MAX_INTEGER && max <= MAX_INTEGER)) {
    throw new DamagedBytesError(`The numbers in a column range from ${min} to ${max}, beyond 2^52.`);
  }
  column.min = min;
  column.max = max;
}
