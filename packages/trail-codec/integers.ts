/**
 * Whole numbers that follow on each other: order (1 bit), whether turns were unwrapped (1 bit), whether the residuals are
 * sparse (1 bit), first number, constant step, residuals.
 */

import type { BitReader } from './bit-reader.ts';
import type { BitWriter } from './bit-writer.ts';
import { MAXIMUM_INTEGER } from './decimals.ts';
import { bestOrder, fromResiduals, majorityStep, toResiduals } from './differences.ts';
import { readRice, writeRice } from './rice.ts';
import { readSparse, writeSparse } from './sparse.ts';
import { MAXIMUM_TRAIL_POINTS } from './trail-point.ts';
import { unwrapTurns, wrapTurns } from './turn.ts';
import { unzigzag, zigzag } from './zigzag.ts';

/** Residuals are sparse when fewer than one in so many differs from zero. */
const SPARSENESS = 8;

/** An order is chosen by so many numbers: by all of them would cost more than it gains. */
const [SAMPLE_LENGTH, WIDE_SAMPLE_LENGTH] = [96, 32] as const;

const residuals = new Float64Array(MAXIMUM_TRAIL_POINTS);

/**
 * Writes `count` (at least 1) whole numbers; writes nothing and returns false when a residual is too large.
 *
 * @param turn a full turn, of integers that are cyclic, and then are changed; 0 of others
 * @param wide whether large residuals may take the form that version 3 has for them
 */
export function writeIntegers(
  writer: BitWriter,
  integers: Float64Array,
  count: number,
  turn: number,
  wide: boolean,
): boolean {
  const unwrapped = turn > 0 && unwrapTurns(integers, count, turn);
  const step = majorityStep(integers, count);
  // Where most steps are equal, a single other one should not change what is expected behind it.
  const order = step === 0 ? bestOrder(integers, count, wide ? WIDE_SAMPLE_LENGTH : SAMPLE_LENGTH) : 1;
  const nonzero = toResiduals(integers, count, step, order, residuals);
  if (nonzero < 0 || Math.abs(step) > MAXIMUM_INTEGER) return false;
  writer.write(order - 1, 1);
  writer.write(unwrapped ? 1 : 0, 1);
  writer.write(isSparse(nonzero, count), 1);
  writer.writeNumber(zigzag(integers[0] ?? 0));
  writer.writeNumber(zigzag(step));
  if (isSparse(nonzero, count)) writeSparse(writer, residuals, count, nonzero);
  else writeRice(writer, residuals, count, wide);
  return true;
}

/** Reads `count` (at least 1) numbers that `writeIntegers` wrote. Throws TrailPathDamagedError. */
export function readIntegers(
  reader: BitReader,
  integers: Float64Array,
  count: number,
  turn: number,
  wide: boolean,
): void {
  const order = reader.read(1) === 0 ? 1 : 2;
  const unwrapped = reader.read(1) === 1;
  const sparse = reader.read(1) === 1;
  integers[0] = unzigzag(reader.readNumber());
  const step = unzigzag(reader.readNumber());
  if (sparse) readSparse(reader, integers, count);
  else readRice(reader, integers, count, wide);
  fromResiduals(integers, count, step, order);
  if (unwrapped) wrapTurns(integers, count, turn);
}

/** Writes numbers[i], 1 <= i < count, whole numbers of which most are small, and `nonzero` are not zero. */
export function writeSmallIntegers(writer: BitWriter, numbers: Float64Array, count: number, nonzero: number): void {
  writer.write(isSparse(nonzero, count), 1);
  if (isSparse(nonzero, count)) writeSparse(writer, numbers, count, nonzero);
  else writeRice(writer, numbers, count, true);
}

/** Reads what `writeSmallIntegers` wrote. Throws TrailPathDamagedError. */
export function readSmallIntegers(reader: BitReader, numbers: Float64Array, count: number): void {
  if (reader.read(1) === 1) readSparse(reader, numbers, count);
  else readRice(reader, numbers, count, true);
}

function isSparse(nonzero: number, count: number): 0 | 1 {
  return nonzero * SPARSENESS < count ? 1 : 0;
}
