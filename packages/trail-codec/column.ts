/**
 * One column of a trail path in compact form: decimals (4 bits), order (1 bit), whether turns were unwrapped (1 bit),
 * whether its residuals are sparse (1 bit), first number, constant step, residuals.
 */

import type { BitReader } from './bit-reader.ts';
import type { BitWriter } from './bit-writer.ts';
import type { Column } from './columns.ts';
import { MAXIMUM_DECIMALS, MAXIMUM_INTEGER, toIntegers } from './decimals.ts';
import { bestOrder, fromResiduals, toResiduals } from './differences.ts';
import { TrailPathDamagedError } from './errors.ts';
import { readRaw, writeRaw } from './raw.ts';
import { maximumRiceBytes, readRice, writeRice } from './rice.ts';
import { readSparse, writeSparse } from './sparse.ts';
import { majorityStep } from './steps.ts';
import { MAXIMUM_TRAIL_POINTS } from './trail-point.ts';
import { DEGREES_IN_A_TURN, unwrapTurns, wrapTurns } from './turn.ts';
import { unzigzag, zigzag } from './zigzag.ts';

const DECIMALS_BITS = 4;
/** Stands in the place of the decimals of a raw column; its numbers follow at once. */
const RAW = 15;
const HEADER_BYTES = 24;
/** Residuals are sparse when fewer than one in so many differs from zero. */
const SPARSENESS = 8;

const integers = new Float64Array(MAXIMUM_TRAIL_POINTS);
const residuals = new Float64Array(MAXIMUM_TRAIL_POINTS);

/** The most bytes that a column of `count` numbers can take. */
export function maximumColumnBytes(count: number): number {
  return HEADER_BYTES + maximumRiceBytes(count);
}

/** Writes `count` (at least 1) values; writes nothing and returns false when that cannot give them back bit for bit. */
export function writeColumn(writer: BitWriter, values: Float64Array, count: number, cyclic: boolean): boolean {
  const decimals = toIntegers(values, count, integers);
  return decimals >= 0 && writeIntegers(writer, integers, decimals, count, cyclic);
}

/**
 * The same for values given as integers = value * 10^decimals, as `toIntegers` makes them, with the fewest decimals that
 * give every value back. The integers of a cyclic column are changed.
 */
export function writeIntegers(
  writer: BitWriter,
  integers: Float64Array,
  decimals: number,
  count: number,
  cyclic: boolean,
): boolean {
  const unwrapped = cyclic && unwrapTurns(integers, count, DEGREES_IN_A_TURN * 10 ** decimals);
  const step = majorityStep(integers, count);
  // Where most steps are equal, a single other one should not change what is expected behind it.
  const order = step === 0 ? bestOrder(integers, count) : 1;
  toResiduals(integers, count, step, order, residuals);
  const nonzero = countNonzero(count);
  if (nonzero < 0 || Math.abs(step) > MAXIMUM_INTEGER) return false;
  const sparse = nonzero * SPARSENESS < count;
  writer.write(decimals, DECIMALS_BITS);
  writer.write(order - 1, 1);
  writer.write(unwrapped ? 1 : 0, 1);
  writer.write(sparse ? 1 : 0, 1);
  writer.writeNumber(zigzag(integers[0] ?? 0));
  writer.writeNumber(zigzag(step));
  if (sparse) writeSparse(writer, residuals, count, nonzero);
  else writeRice(writer, residuals, count);
  return true;
}

/** Writes `count` values as they are: for columns that `writeColumn` cannot write. */
export function writeRawColumn(writer: BitWriter, values: Float64Array, count: number): void {
  writer.write(RAW, DECIMALS_BITS);
  writeRaw(writer, values, count);
}

/** Reads `count` (at least 1) values into `column` and returns whether it is a raw one. Throws TrailPathDamagedError. */
export function readColumn(reader: BitReader, column: Column, count: number): boolean {
  const { numbers } = column;
  const decimals = reader.read(DECIMALS_BITS);
  if (decimals === RAW) {
    readRaw(reader, numbers, count);
    column.decimals = 0;
    column.smallest = Number.NEGATIVE_INFINITY;
    column.largest = Number.POSITIVE_INFINITY;
    return true;
  }
  if (decimals > MAXIMUM_DECIMALS) throw new TrailPathDamagedError(`A column has ${decimals} decimals, more than 9.`);
  const order = reader.read(1) === 0 ? 1 : 2;
  const unwrapped = reader.read(1) === 1;
  const sparse = reader.read(1) === 1;
  numbers[0] = unzigzag(reader.readNumber());
  const step = unzigzag(reader.readNumber());
  if (sparse) readSparse(reader, numbers, count);
  else readRice(reader, numbers, count);
  fromResiduals(numbers, count, step, order);
  if (unwrapped) wrapTurns(numbers, count, DEGREES_IN_A_TURN * 10 ** decimals);
  column.decimals = decimals;
  setRange(column, count);
  return false;
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

/** How many residuals are not zero; -1 when one is so large that the sums of decoding would round. */
function countNonzero(count: number): number {
  let nonzero = 0;
  for (let index = 1; index < count; index++) {
    const residual = residuals[index] ?? 0;
    if (residual === 0) continue;
    if (Math.abs(residual) > MAXIMUM_INTEGER) return -1;
    nonzero++;
  }
  return nonzero;
}
