/**
 * A column of doubles as whole numbers on a scale, with the difference between each double and the value of its number.
 * Doubles from real devices are hardly ever arbitrary, because they come from a fraction by a division, a
 * multiplication or a conversion from single precision. So on the right scale, most differences are zero. For other
 * doubles, the scale is a power of two.
 *
 * The bits are the scale's family (2), its exponent (12), whether a number is multiplied (1), the decimals after
 * rounding (4), the exceptions, the origin of a binary scale (64), the integers, and the differences in units in the
 * last place.
 */

import { MAX_TRAIL_POINTS } from '@milepost/domain/vocabulary';
import type { BitReader, BitWriter } from './bit-stream.ts';
import { DamagedBytesError } from './checksum.ts';
import {
  DEGREES_PER_TURN,
  MAX_INTEGER,
  readIntegers,
  readSmallIntegers,
  writeIntegers,
  writeSmallIntegers,
} from './integers.ts';

/** The families of scales are decimal fractions of a degree, of a minute and of a second, and binary fractions. */
const [DECIMAL, MINUTES, SECONDS, BINARY] = [0, 1, 2, 3] as const;
const SECONDS_PER_DEGREE = 3600;
/** How many units a degree has in each family. */
const UNITS = [1, 60, SECONDS_PER_DEGREE, 1] as const;
const [FAMILY_BITS, EXPONENT_BITS, DECIMALS_BITS] = [2, 12, 4] as const;
const EXPONENT_BIAS = 2 ** (EXPONENT_BITS - 1);
const POWERS = Float64Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`));
const FRACTION_BITS = 52;
const WORD_RANGE = 2 ** 32;
const MAX_BINARY_EXPONENT = 1000;
const MAX_EXPONENT = POWERS.length - 1;

/** A sample of this many values determines the scale. One in `STRAY_SHARE` of them may be off the scale. */
const SAMPLE_LENGTH = 16;
const STRAY_SHARE = 8;
/** The relative error that builds up in a few operations on doubles. */
const ROUNDING_ERROR = 2 ** -50;
/** Above this number, the values of a scale are so dense that a double is near one by chance. */
const MAX_ROUNDED = 2 ** 43;
/** Up to this number, 15 digits distinguish all whole numbers. */
const MAX_EXACT = 1e15;
/** The tolerance around a scale's values may cover at most this share of its steps. */
const MAX_COVERAGE = 1 / 20;
/** If its values have fewer decimals, a column cannot consist of rounded minutes or seconds. */
const FINE_DECIMALS = 10;
/** The maximum range of a sample on a binary scale. The range of the whole column can be four times as large. */
const MAX_SAMPLE_RANGE = 2 ** 50;
/** Above this limit, the double itself takes fewer bits than the difference. */
const MAX_DIFFERENCE = 2 ** 50;

/**
 * On this scale, the integer n has the value n / factor or, for a product, n * (1 / factor), rounded to `decimals`
 * decimals unless `decimals` is 0.
 */
interface Scale {
  readonly family: number;
  readonly exponent: number;
  readonly isProduct: boolean;
  readonly decimals: number;
}

const integers = new Float64Array(MAX_TRAIL_POINTS);
const differences = new Float64Array(MAX_TRAIL_POINTS + 1);
const sample = new Float64Array(SAMPLE_LENGTH);
const doubles = new Float64Array(2);
const words = new Int32Array(doubles.buffer);

function factorOf({ family, exponent }: Pick<Scale, 'family' | 'exponent'>): number {
  return family === BINARY ? 2 ** exponent : (UNITS[family] ?? 1) * (POWERS[exponent] ?? 1);
}

/**
 * Writes `count` (at least 1) values. Returns false if they do not fit this form, of which only a part is then written.
 */
export function writeApproximations(
  writer: BitWriter,
  values: Float64Array,
  count: number,
  isCyclic: boolean,
): boolean {
  const scale = chooseScale(values, count);
  if (scale === null) return false;
  const { family, exponent, isProduct, decimals } = scale;
  writer.write(family, FAMILY_BITS);
  writer.write(exponent + EXPONENT_BIAS, EXPONENT_BITS);
  writer.write(isProduct ? 1 : 0, 1);
  writer.write(decimals, DECIMALS_BITS);
  const factor = factorOf(scale);
  const origin = family === BINARY ? Math.round((sample[0] ?? 0) * factor) : 0;
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

/** Reads `count` (at least 1) values that `writeApproximations` wrote. Throws DamagedBytesError. */
export function readApproximations(reader: BitReader, values: Float64Array, count: number): void {
  const family = reader.read(FAMILY_BITS);
  const exponent = reader.read(EXPONENT_BITS) - EXPONENT_BIAS;
  const isProduct = reader.read(1) === 1;
  const decimals = reader.read(DECIMALS_BITS);
  if (family !== BINARY && !(exponent >= 0 && exponent <= MAX_EXPONENT)) {
    throw new DamagedBytesError(`A scale has the exponent ${exponent}, not one from 0 to ${MAX_EXPONENT}.`);
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
  // Goes from the last exception to the first, so that no value is overwritten before it is moved.
  let end = count;
  for (const [place, { index, value }] of [...exceptions.entries()].reverse()) {
    values.copyWithin(index + 1, index - place, end - place - 1);
    values[index] = value;
    end = index;
  }
}

/** Whether a value is one of those that devices send in place of an unknown course or position. */
function isPlaceholder(value: number): boolean {
  return value === 0 || value === -1;
}

/** Draws the sample, without placeholders, and returns its length. */
function drawSample(values: Float64Array, count: number): number {
  const stride = Math.max(1, Math.floor(count / SAMPLE_LENGTH));
  for (const step of [stride, 1]) {
    let length = 0;
    for (let index = 0; index < count && length < SAMPLE_LENGTH; index += step) {
      const value = values[index] ?? 0;
      if (!isPlaceholder(value)) sample[length++] = value;
    }
    if (length > 0) return length;
  }
  return 0;
}

/** Returns the scale that suits most values of a sample; null when all values are placeholders. */
function chooseScale(values: Float64Array, count: number): Scale | null {
  const length = drawSample(values, count);
  if (length === 0) return null;
  let max = 0;
  for (let index = 0; index < length; index++) max = Math.max(max, Math.abs(sample[index] ?? 0));
  const decimals = minDecimals(length, max);
  if (decimals >= 0 && decimals < FINE_DECIMALS) return divisionScale(length, DECIMAL, decimals, 0);
  const tolerance = decimals < 0 ? 0 : 0.51 / (POWERS[decimals] ?? 1);
  // On an even finer scale, values would fit by chance.
  const finest = tolerance > 0 ? MAX_COVERAGE / tolerance : MAX_ROUNDED / max;
  const last = maxPower(finest / SECONDS_PER_DEGREE);
  // If this check fails, so would all steps of the loop, because a value that fits any of these scales also fits the
  // last one.
  if (last >= 0 && fits(length, factorOf({ family: SECONDS, exponent: last }), tolerance)) {
    for (let step = 0; step <= 2 * last + 1; step++) {
      const [family, exponent] = [step % 2 === 0 ? MINUTES : SECONDS, step >>> 1];
      if (fits(length, factorOf({ family, exponent }), tolerance)) {
        return divisionScale(length, family, exponent, Math.max(0, decimals));
      }
    }
  }
  return decimals < 0 ? binaryScale(length) : divisionScale(length, DECIMAL, decimals, 0);
}

/**
 * Returns the minimum number of decimals, 0 to 15, that suffices for most of the sample; -1 when most of it needs more.
 */
function minDecimals(length: number, max: number): number {
  const rounded = maxPower(MAX_ROUNDED / max);
  // A value with fewer decimals also fits this scale.
  const hasFew = rounded >= 0 && fits(length, POWERS[rounded] ?? 1, 0);
  for (let decimals = hasFew ? 0 : rounded + 1; decimals < POWERS.length; decimals++) {
    if (fits(length, POWERS[decimals] ?? 1, 0)) return decimals;
  }
  return -1;
}

/** Returns the exponent of the largest power of ten up to `limit`; -1 when even 1 is above the limit. */
function maxPower(limit: number): number {
  let exponent = POWERS.length - 1;
  while (exponent >= 0 && (POWERS[exponent] ?? 1) > limit) exponent--;
  return exponent;
}

/**
 * Whether most of the sample fits a scale within `tolerance` or, if that is 0, within the rounding error of a few
 * operations.
 */
function fits(length: number, factor: number, tolerance: number): boolean {
  let strays = 0;
  for (let index = 0; index < length; index++) {
    const value = sample[index] ?? 0;
    const integer = Math.round(value * factor);
    const size = Math.abs(integer);
    const error = Math.abs(value - integer / factor);
    const allowed = tolerance > 0 ? tolerance : size <= MAX_ROUNDED ? Math.abs(value) * ROUNDING_ERROR : 0;
    if (error <= allowed && size <= MAX_EXACT) continue;
    strays++;
    // If a second stray is among the first few values, the scale is refused at once.
    if (strays * STRAY_SHARE > length || (strays - 1) * STRAY_SHARE > index) return false;
  }
  return true;
}

/** Returns the scale of a family, with division or multiplication, depending on which restores more of the sample. */
function divisionScale(length: number, family: number, exponent: number, decimals: number): Scale {
  const factor = factorOf({ family, exponent });
  const inverse = 1 / factor;
  let quotients = 0;
  let products = 0;
  for (let index = 0; index < length; index++) {
    const value = sample[index] ?? 0;
    const integer = Math.round(value * factor);
    if (integer / factor === value) quotients++;
    if (integer * inverse === value) products++;
  }
  return { family, exponent, decimals, isProduct: decimals === 0 && products > quotients };
}

/**
 * Returns the coarsest power of two that restores the whole sample or, if the sample's range is too large for it, the
 * finest one that keeps the range within `MAX_SAMPLE_RANGE`.
 */
function binaryScale(length: number): Scale {
  let finest = MAX_BINARY_EXPONENT;
  let coarsest = -MAX_BINARY_EXPONENT;
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < length; index++) {
    const value = sample[index] ?? 0;
    min = Math.min(min, value);
    max = Math.max(max, value);
    doubles[0] = value;
    const [low, high] = [words[0] ?? 0, words[1] ?? 0];
    // The exponent of the smallest power of two that makes the value a whole number.
    const zeros = low === 0 ? 32 + trailingZeros(high) : trailingZeros(low);
    const last = FRACTION_BITS - Math.min(zeros, FRACTION_BITS) - (((high >>> 20) & 0x7ff) - 1023);
    coarsest = Math.max(coarsest, last);
    finest = Math.min(finest, FRACTION_BITS - (((high >>> 20) & 0x7ff) - 1023));
  }
  while ((max - min) * 2 ** finest > MAX_SAMPLE_RANGE) finest--;
  return { family: BINARY, exponent: Math.min(finest, coarsest), isProduct: false, decimals: 0 };
}

function trailingZeros(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** Returns the distance from `base` to `value` in units in the last place, which is approximate beyond 2^53. */
function differenceOf(value: number, base: number): number {
  doubles[0] = value;
  doubles[1] = base;
  const high = (words[1] ?? 0) - (words[3] ?? 0);
  return high * WORD_RANGE + (((words[0] ?? 0) >>> 0) - ((words[2] ?? 0) >>> 0));
}

/** Returns the double at this distance from `base` in units in the last place. */
function addUnits(base: number, difference: number): number {
  doubles[0] = base;
  const high = Math.floor(difference / WORD_RANGE);
  const low = ((words[0] ?? 0) >>> 0) + (difference - high * WORD_RANGE);
  words[1] = (words[1] ?? 0) + high + (low >= WORD_RANGE ? 1 : 0);
  words[0] = low;
  return doubles[0] ?? 0;
}

/**
 * Writes the number of exceptions and, for each, its distance from the previous one and, unless it is the same, its
 * value.
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
