import { MAX_TRAIL_POINTS } from '@milepost/domain/vocabulary';
import { DEGREES_PER_TURN, FORM_BITS, FORMS, MAX_DECIMALS, MAX_INTEGER } from '../format.ts';
import { readApproximations } from './approximations.ts';
import { type BitReader, DamagedBytesError } from './bit-reader.ts';
import { readIntegers } from './integers.ts';

/** A decoded column, in which value = numbers[i] / 10^decimals. */
export interface Column {
  readonly numbers: Float64Array;
  decimals: number;
  /** Bounds of the numbers; infinite for a column of doubles. */
  min: number;
  max: number;
}

/** The lengths of the runs of equal values, which a column shares with the one before it if their values repeat alike. */
const lengths = new Float64Array(MAX_TRAIL_POINTS);
let runs = 0;

/** Reads lengths and returns their number. Throws DamagedBytesError unless their sum is `count`. */
function readRuns(reader: BitReader, count: number): number {
  if (reader.read(1) === 0) {
    runs = reader.readNumber();
    if (runs > count) throw new DamagedBytesError(`${count} values cannot have ${runs} runs.`);
    if (runs > 0) readIntegers(reader, lengths, runs, 0);
  }
  let sum = 0;
  for (let run = 0; run < runs; run++) {
    const length = lengths[run] ?? 0;
    if (length < 1) throw new DamagedBytesError(`A run has the length ${length}.`);
    sum += length;
  }
  if (sum !== count)
    throw new DamagedBytesError(`The lengths of the runs add up to ${sum}, but there are ${count} values.`);
  return runs;
}

/** Repeats the value of each run, with the lengths from the last `readRuns`. */
function expandRuns(values: Float64Array, count: number): void {
  let end = count;
  for (let run = runs - 1; run >= 0; run--) {
    const start = end - (lengths[run] ?? 0);
    values.fill(values[run] ?? 0, start, end);
    end = start;
  }
}

/** Reads the columns of a path, of `count` (at least 1) numbers each. Throws DamagedBytesError. */
export function readColumns(reader: BitReader, columns: readonly Column[], count: number): void {
  runs = 0;
  for (const column of columns) readColumn(reader, column, count);
}

function readColumn(reader: BitReader, column: Column, count: number): void {
  const { numbers } = column;
  let form = reader.read(FORM_BITS);
  const hasRuns = form === FORMS.RUNS;
  const length = hasRuns ? readRuns(reader, count) : count;
  if (hasRuns) form = reader.read(FORM_BITS);
  if (form <= MAX_DECIMALS) {
    readIntegers(reader, numbers, length, DEGREES_PER_TURN * 10 ** form);
    column.decimals = form;
    setBounds(column, length);
  } else {
    if (form === FORMS.DOUBLES) for (let index = 0; index < length; index++) numbers[index] = reader.readDouble();
    else if (form === FORMS.APPROXIMATIONS) readApproximations(reader, numbers, length);
    else throw new DamagedBytesError(`The column form ${form} is unknown.`);
    column.decimals = 0;
    column.min = Number.NEGATIVE_INFINITY;
    column.max = Number.POSITIVE_INFINITY;
  }
  if (hasRuns) expandRuns(numbers, count);
}

/** Throws DamagedBytesError when a number exceeds the range of integers. */
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
