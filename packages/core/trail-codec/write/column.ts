import { MAX_TRAIL_POINTS } from '@milepost/domain/vocabulary';
import { DEGREES_PER_TURN, FORM_BITS, FORMS, MAX_DECIMALS, MAX_INTEGER } from '../format.ts';
import { writeApproximations } from './approximations.ts';
import type { BitWriter } from './bit-writer.ts';
import { writeIntegers } from './integers.ts';

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

/** The lengths of the runs of equal values in the current column and in the last column that wrote its lengths. */
let lengths = new Float64Array(MAX_TRAIL_POINTS);
let previousLengths = new Float64Array(MAX_TRAIL_POINTS);
let previousRuns = 0;

/**
 * Keeps only one value of each run in `values`, and returns the number of runs. Changes nothing and returns 0 unless
 * there are `min` to `max` runs.
 */
function collapseRuns(values: Float64Array, count: number, min: number, max: number): number {
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

/** Writes the lengths of the `runs` returned by `collapseRuns`. */
function writeLengths(writer: BitWriter, runs: number): void {
  let isSame = runs === previousRuns;
  for (let run = 0; isSame && run < runs; run++) isSame = lengths[run] === previousLengths[run];
  writer.write(isSame ? 1 : 0, 1);
  if (isSame) return;
  writer.writeNumber(runs);
  writeIntegers(writer, lengths, runs, 0);
  [lengths, previousLengths] = [previousLengths, lengths];
  previousRuns = runs;
}

const integers = new Float64Array(MAX_TRAIL_POINTS);

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
    previousRuns = 0;
  }

  /** Writes values in the most suitable form, and may overwrite `values`. */
  writeValues(values: Float64Array, isCyclic: boolean): void {
    const { writer, count } = this;
    const decimals = toIntegers(values, count);
    if (decimals >= 0 && this.writeIntegers(integers, decimals, isCyclic)) return;
    const runs = this.writeRuns(values, 1, count - Math.ceil(count / REPETITION_SHARE));
    const start = writer.bits;
    writer.write(FORMS.APPROXIMATIONS, FORM_BITS);
    const isWritten = writeApproximations(writer, values, runs, isCyclic);
    if (isWritten && writer.bits - start <= FORM_BITS + runs * DOUBLE_BITS) return;
    writer.rewind(start);
    writer.write(FORMS.DOUBLES, FORM_BITS);
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
    previousRuns = 0;
    return false;
  }

  /**
   * If there are `min` to `max` runs, writes their lengths and keeps only one value of each run in `values`. Returns
   * the number of remaining values.
   */
  private writeRuns(values: Float64Array, min: number, max: number): number {
    const runs = collapseRuns(values, this.count, min, max);
    if (runs === 0) return this.count;
    this.writer.write(FORMS.RUNS, FORM_BITS);
    writeLengths(this.writer, runs);
    return runs;
  }
}
