/**
 * One column of a trail path: its form (4 bits) and what belongs to it. Up to 9 it is the decimals of whole numbers. Version 3
 * alone knows 10, doubles near such numbers, and 11, runs of equal values, which another form follows. 15 is doubles as they
 * are, which version 1 does not know.
 */

import { readApproximations, writeApproximations } from './approximations.ts';
import type { BitReader } from './bit-reader.ts';
import type { BitWriter } from './bit-writer.ts';
import type { Column } from './columns.ts';
import { MAXIMUM_DECIMALS, MAXIMUM_INTEGER, toIntegers } from './decimals.ts';
import { TrailPathDamagedError } from './errors.ts';
import { readIntegers, writeIntegers } from './integers.ts';
import { readDouble, writeDouble } from './raw.ts';
import { Repeats } from './repeats.ts';
import { MAXIMUM_TRAIL_POINTS } from './trail-point.ts';
import { DEGREES_IN_A_TURN } from './turn.ts';

/** The first byte of a path: 1 for whole numbers alone, 2 for these and doubles as they are, 3 for all forms. */
type Version = 1 | 2 | 3;

const FORM_BITS = 4;
const [APPROXIMATED, REPEATED, RAW] = [10, 11, 15] as const;
const DOUBLE_BITS = 64;
/** An upper bound of what a value can take in any form: its integer, difference, run and exception. */
const MAXIMUM_VALUE_BYTES = 40;
const HEADER_BYTES = 128;
/** Runs of whole numbers are worth it when there are many, and these are at least so long on average. */
const [FEWEST_RUNS, MEAN_RUN_LENGTH] = [16, 3] as const;
/** Runs of doubles are worth it when at least one value in so many is the one before. */
const REPEATED_SHARE = 16;

const integers = new Float64Array(MAXIMUM_TRAIL_POINTS);
const repeats = new Repeats();

/** The most bytes that a column of `count` numbers can take. */
export function maximumColumnBytes(count: number): number {
  return HEADER_BYTES + MAXIMUM_VALUE_BYTES * count;
}

/** To be called before the first column of a path is written or read. */
export function startColumns(): void {
  repeats.reset();
}

/** Writes `count` (at least 1) values, which may be changed. Returns the version that it takes to read them. */
export function writeColumn(writer: BitWriter, values: Float64Array, count: number, cyclic: boolean): Version {
  const decimals = toIntegers(values, count, integers);
  const version = decimals < 0 ? null : writeDecimals(writer, integers, decimals, count, cyclic);
  if (version !== null) return version;
  const runs = writeRuns(writer, values, count, 1, count - Math.ceil(count / REPEATED_SHARE));
  const start = writer.bits;
  writer.write(APPROXIMATED, FORM_BITS);
  const written = writeApproximations(writer, values, runs, cyclic);
  if (written && writer.bits - start <= FORM_BITS + runs * DOUBLE_BITS) return 3;
  writer.rewind(start);
  writeRaw(writer, values, runs);
  return runs < count ? 3 : 2;
}

/**
 * The same for values given as integers = value * 10^decimals, as `toIntegers` makes them, with the fewest decimals that
 * give every value back. Writes nothing and returns null when these cannot be written so.
 */
export function writeDecimals(
  writer: BitWriter,
  integers: Float64Array,
  decimals: number,
  count: number,
  cyclic: boolean,
): Version | null {
  const start = writer.bits;
  const runs = writeRuns(writer, integers, count, FEWEST_RUNS, Math.floor(count / MEAN_RUN_LENGTH));
  writer.write(decimals, FORM_BITS);
  const turn = cyclic ? DEGREES_IN_A_TURN * 10 ** decimals : 0;
  if (writeIntegers(writer, integers, runs, turn, false)) return runs < count ? 3 : 1;
  writer.rewind(start);
  // The lengths of runs that were taken back are not there for the next column to refer to.
  repeats.reset();
  return null;
}

/** Writes a column as it was written before version 3. */
export function writeFormerColumn(writer: BitWriter, values: Float64Array, count: number, cyclic: boolean): Version {
  const start = writer.bits;
  const decimals = toIntegers(values, count, integers);
  writer.write(decimals, FORM_BITS);
  const turn = cyclic ? DEGREES_IN_A_TURN * 10 ** decimals : 0;
  if (decimals >= 0 && writeIntegers(writer, integers, count, turn, false)) return 1;
  writer.rewind(start);
  writeRaw(writer, values, count);
  return 2;
}

/** Reads `count` (at least 1) values into `column` and returns the version that it takes. Throws TrailPathDamagedError. */
export function readColumn(reader: BitReader, column: Column, count: number, version: Version): Version {
  const { numbers } = column;
  let form = reader.read(FORM_BITS);
  const repeated = form === REPEATED && version === 3;
  const runs = repeated ? repeats.read(reader, count) : count;
  if (repeated) form = reader.read(FORM_BITS);
  if (form <= MAXIMUM_DECIMALS) {
    readIntegers(reader, numbers, runs, DEGREES_IN_A_TURN * 10 ** form, false);
    column.decimals = form;
    setRange(column, runs);
  } else {
    if (form === RAW) readRaw(reader, numbers, runs);
    else if (form === APPROXIMATED && version === 3) readApproximations(reader, numbers, runs);
    else throw new TrailPathDamagedError(`A column has the form ${form}, which version ${version} does not know.`);
    column.decimals = 0;
    column.smallest = Number.NEGATIVE_INFINITY;
    column.largest = Number.POSITIVE_INFINITY;
  }
  if (repeated) repeats.expand(numbers, count);
  if (repeated || form === APPROXIMATED) return 3;
  return form === RAW ? 2 : 1;
}

/** Writes the lengths of runs where that is worth it, and leaves each of them once in `values`. Returns how many are left. */
function writeRuns(writer: BitWriter, values: Float64Array, count: number, fewest: number, most: number): number {
  const runs = repeats.collapse(values, count, fewest, most);
  if (runs === 0) return count;
  writer.write(REPEATED, FORM_BITS);
  repeats.write(writer, runs);
  return runs;
}

function writeRaw(writer: BitWriter, values: Float64Array, count: number): void {
  writer.write(RAW, FORM_BITS);
  for (let index = 0; index < count; index++) writeDouble(writer, values[index] ?? 0);
}

function readRaw(reader: BitReader, numbers: Float64Array, count: number): void {
  for (let index = 0; index < count; index++) numbers[index] = readDouble(reader);
}

/** Finds the column's range and throws TrailPathDamagedError when it is beyond what `writeColumn` writes. */
function setRange(column: Column, count: number): void {
  const { numbers } = column;
  let smallest = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < count; index++) {
    const number = numbers[index] ?? 0;
    if (number < smallest) smallest = number;
    if (number > largest) largest = number;
  }
  if (!(smallest >= -MAXIMUM_INTEGER && largest <= MAXIMUM_INTEGER)) {
    throw new TrailPathDamagedError(`A column reaches from ${smallest} to ${largest}, beyond 2^52.`);
  }
  column.smallest = smallest;
  column.largest = largest;
}
