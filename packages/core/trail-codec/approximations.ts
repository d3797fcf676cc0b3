/**
 * A column of doubles. Each double is stored as a whole number on a scale, plus the difference between the double and
 * that number's value. Doubles from real devices are hardly ever arbitrary, because they result from dividing or
 * multiplying a fraction, or from a conversion from single precision. So on the right scale, most differences are zero.
 * For other doubles, the scale is a power of two.
 *
 * A column consists of the following, with the number of bits in brackets: the scale's family (2), its exponent (12),
 * whether a number is multiplied (1), the decimals after rounding (4), the exceptions, the origin of a binary scale
 * (64), the integers, and the differences in units in the last place.
 */

import { MAX_TRAIL_POINTS } from '@milepost/domain/vocabulary';
import { type BitReader, type BitWriter, DamagedBytesError } from './bit-stream.ts';
import {
  DEGREES_PER_TURN,
  MAX_INTEGER,
  readIntegers,
  readSmallIntegers,
  writeIntegers,
  writeSmallIntegers,
} from './integers.ts';
import { BINARY, chooseScale, factorOf, isPlaceholder, POWERS } from './scale.ts';

const [FAMILY_BITS, EXPONENT_BITS, DECIMALS_BITS] = [2, 12, 4] as const;
const EXPONENT_BIAS = 2 ** (EXPONENT_BITS - 1);
const MAX_EXPONENT = POWERS.length - 1;
const WORD_RANGE = 2 ** 32;
/** Above this limit, the double itself takes fewer bits than the difference. */
const MAX_DIFFERENCE = 2 ** 50;

const integers = new Float64Array(MAX_TRAIL_POINTS);
const differences = new Float64Array(MAX_TRAIL_POINTS + 1);
const doubles = new Float64Array(2);
const words = new Int32Array(doubles.buffer);

/**
 * Writes `count` (at least 1) values. If the values do not fit this form, returns false after writing part of the
 * column.
 */
export function writeApproximations(
  writer: BitWriter,
  values: Float64Array,
  count: number,
  isCyclic: boolean,
): boolean {
  const scale = chooseScale(values, count);
  if (scale === null) return false;
  const { family, exponent, isProduct, decimals, origin } = scale;
  writer.write(family, FAMILY_BITS);
  writer.write(exponent + EXPONENT_BIAS, EXPONENT_BITS);
  writer.write(isProduct ? 1 : 0, 1);
  writer.write(decimals, DECIMALS_BITS);
  const factor = factorOf(scale);
  const inverse = 1 / factor;
  const power = POWERS[decimals] ?? 1;
  const exceptions: number[] = [];
  let length = 0;
  let nonzero = 0;
  for (let index = 0; index < count; index++) {
    const value = values[index] ?? 0;
    const integer = Math.round(value * factor) + 0;
    let base = isProduct ? integer * inverse : integer / factor;
    if (decimals > 0) base = Math.round(base * power) / power;
    const difference = base === value ? 0 : differenceOf(value, base);
    if (isPlaceholder(value) || !(Math.abs(integer - origin) <= MAX_INTEGER) || Math.abs(difference) > MAX_DIFFERENCE) {
      exceptions.push(index);
      continue;
    }
    integers[length++] = integer - origin;
    differences[length] = difference;
    if (difference !== 0) nonzero++;
  }
  writeExceptions(writer, values, exceptions);
  if (length === 0) return true;
  if (family === BINARY) writer.writeDouble(origin);
  const turn = isCyclic && family !== BINARY ? DEGREES_PER_TURN * factor : 0;
  if (!writeIntegers(writer, integers, length, turn)) return false;
  writeSmallIntegers(writer, differences, length + 1, nonzero);
  return true;
}

/** Reads `count` (at least 1) values written by `writeApproximations`. Throws DamagedBytesError. */
export function readApproximations(reader: BitReader, values: Float64Array, count: number): void {
  const family = reader.read(FAMILY_BITS);
  const exponent = reader.read(EXPONENT_BITS) - EXPONENT_BIAS;
  const isProduct = reader.read(1) === 1;
  const decimals = reader.read(DECIMALS_BITS);
  if (family !== BINARY && !(exponent >= 0 && exponent <= MAX_EXPONENT)) {
    throw new DamagedBytesError(`A scale has the exponent ${exponent}, which is not between 0 and ${MAX_EXPONENT}.`);
  }
  const exceptions = readExceptions(reader, count);
  const length = count - exceptions.length;
  if (length > 0) {
    const factor = factorOf({ family, exponent });
    const origin = family === BINARY ? reader.readDouble() : 0;
    readIntegers(reader, values, length, DEGREES_PER_TURN * factor);
    readSmallIntegers(reader, differences, length + 1);
    const inverse = 1 / factor;
    const power = POWERS[decimals] ?? 1;
    for (let index = 0; index < length; index++) {
      const integer = (values[index] ?? 0) + origin;
      let value = isProduct ? integer * inverse : integer / factor;
      if (decimals > 0) value = Math.round(value * power) / power;
      const difference = differences[index + 1] ?? 0;
      if (difference !== 0) value = addUnits(value, difference);
      if (!Number.isFinite(value))
        throw new DamagedBytesError(`Number ${index} of a column is ${value}, which is not finite.`);
      values[index] = value;
    }
  }
  // Goes from the last exception to the first, so that values are moved before they are overwritten.
  let end = count;
  for (const [place, { index, value }] of [...exceptions.entries()].reverse()) {
    values.copyWithin(index + 1, index - place, end - place - 1);
    values[index] = value;
    end = index;
  }
}

/** Returns the distance from `base` to `value`, in units in the last place. It is approximate beyond 2^53. */
function differenceOf(value: number, base: number): number {
  doubles[0] = value;
  doubles[1] = base;
  const high = (words[1] ?? 0) - (words[3] ?? 0);
  return high * WORD_RANGE + (((words[0] ?? 0) >>> 0) - ((words[2] ?? 0) >>> 0));
}

/** Returns the double at this distance from `base`, in units in the last place. */
function addUnits(base: number, difference: number): number {
  doubles[0] = base;
  const high = Math.floor(difference / WORD_RANGE);
  const low = ((words[0] ?? 0) >>> 0) + (difference - high * WORD_RANGE);
  words[1] = (words[1] ?? 0) + high + (low >= WORD_RANGE ? 1 : 0);
  words[0] = low;
  return doubles[0] ?? 0;
}

/**
 * Writes the number of exceptions. For each exception, writes its distance from the previous exception and one bit that
 * says whether both have the same value. If they do not, writes the value too.
 */
function writeExceptions(writer: BitWriter, values: Float64Array, exceptions: readonly number[]): void {
  writer.writeNumber(exceptions.length);
  let last = -1;
  let previous = 0;
  for (const index of exceptions) {
    const value = values[index] ?? 0;
    const isSame = Object.is(value, previous);
    writer.writeNumber(index - last);
    writer.write(isSame ? 1 : 0, 1);
    if (!isSame) writer.writeDouble(value);
    last = index;
    previous = value;
  }
}

function readExceptions(reader: BitReader, count: number): { index: number; value: number }[] {
  const exceptions: { index: number; value: number }[] = [];
  const length = reader.readNumber();
  if (length > count) throw new DamagedBytesError(`${count} values cannot have ${length} exceptions.`);
  let index = -1;
  let value = 0;
  while (exceptions.length < length) {
    const distance = reader.readNumber();
    index += distance;
    if (distance === 0 || index >= count) throw new DamagedBytesError('An exception has an impossible index.');
    if (reader.read(1) === 0) value = reader.readDouble();
    exceptions.push({ index, value });
  }
  return exceptions;
}
