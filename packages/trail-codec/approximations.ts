/**
 * A column of doubles as whole numbers on a scale, and by how much each double differs from the one that its number stands
 * for. What devices send is hardly ever just any double: it is a fraction that a division, a multiplication or a conversion
 * from single precision gave. On its scale most differences are zero. Doubles without such a past take a power of two.
 *
 * Bits: family of the scale (2), exponent (12), whether a number is multiplied (1), decimals that it is rounded to (4);
 * exceptions; origin of a binary scale (64); integers; differences, in units in the last place.
 */

import type { BitReader } from './bit-reader.ts';
import type { BitWriter } from './bit-writer.ts';
import { MAXIMUM_INTEGER } from './decimals.ts';
import { TrailPathDamagedError } from './errors.ts';
import { readIntegers, readSmallIntegers, writeIntegers, writeSmallIntegers } from './integers.ts';
import { readDouble, writeDouble } from './raw.ts';
import { MAXIMUM_TRAIL_POINTS } from './trail-point.ts';
import { DEGREES_IN_A_TURN } from './turn.ts';

/** Families of scales: decimal fractions, those of minutes and of seconds of a degree, binary fractions. */
const SECONDS_IN_A_DEGREE = 3600;
const UNITS = [1, 60, SECONDS_IN_A_DEGREE, 1] as const;
const [DECIMAL, MINUTES, SECONDS, BINARY] = [0, 1, 2, 3] as const;
const [FAMILY_BITS, EXPONENT_BITS, DECIMALS_BITS] = [2, 12, 4] as const;
const EXPONENT_BIAS = 2 ** (EXPONENT_BITS - 1);
const POWERS = Float64Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`));
const FRACTION_BITS = 52;
const WORD_RANGE = 2 ** 32;
const LARGEST_BINARY_EXPONENT = 1000;
const LARGEST_EXPONENT = POWERS.length - 1;

/** A scale is chosen by so many values; one in so many may be off it. */
const SAMPLE_LENGTH = 16;
const STRAY_SHARE = 8;
/** What a few operations on doubles add up to, relative to the value. */
const ROUNDING = 2 ** -50;
/** Above it, numbers of a scale lie so close together that a double is near one by chance. */
const LARGEST_ROUNDED = 2 ** 43;
/** All whole numbers up to it are told apart by 15 digits. */
const LARGEST_EXACT = 1e15;
/** What share of a scale's steps may lie within the tolerance around its numbers. */
const CERTAINTY = 1 / 20;
/** With as many decimals or more, a column may be rounded minutes or seconds. */
const FINE_DECIMALS = 10;
/** The numbers of a sample on a binary scale; those of the whole column may lie four times as far apart. */
const LARGEST_RANGE = 2 ** 50;
/** A difference between two doubles that lie farther apart says less than the double. */
const LARGEST_DIFFERENCE = 2 ** 50;

/** The double that integer n stands for: n / scale, or n * (1 / scale), rounded to `decimals` unless these are 0. */
interface Scale {
  readonly family: number;
  readonly exponent: number;
  readonly product: boolean;
  readonly decimals: number;
}

const integers = new Float64Array(MAXIMUM_TRAIL_POINTS);
const differences = new Float64Array(MAXIMUM_TRAIL_POINTS + 1);
const sample = new Float64Array(SAMPLE_LENGTH);
const double = new Float64Array(2);
const words = new Int32Array(double.buffer);

function factorOf({ family, exponent }: Pick<Scale, 'family' | 'exponent'>): number {
  return family === BINARY ? 2 ** exponent : (UNITS[family] ?? 1) * (POWERS[exponent] ?? 1);
}

/** Writes `count` (at least 1) values; returns false, and has written anything, when the form does not suit them. */
export function writeApproximations(writer: BitWriter, values: Float64Array, count: number, cyclic: boolean): boolean {
  const scale = scaleOf(values, count);
  if (scale === null) return false;
  const { family, exponent, product, decimals } = scale;
  writer.write(family, FAMILY_BITS);
  writer.write(exponent + EXPONENT_BIAS, EXPONENT_BITS);
  writer.write(product ? 1 : 0, 1);
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
    let base = product ? integer * inverse : integer / factor;
    if (decimals > 0) base = Math.round(base * power) / power;
    const difference = base === value ? 0 : differenceOf(value, base);
    if (
      isNone(value) ||
      !(Math.abs(integer - origin) <= MAXIMUM_INTEGER) ||
      Math.abs(difference) > LARGEST_DIFFERENCE
    ) {
      exceptions.push(index);
      continue;
    }
    integers[length++] = integer - origin;
    differences[length] = difference;
    if (difference !== 0) nonzero++;
  }
  writeExceptions(writer, values, exceptions);
  if (length === 0) return true;
  if (family === BINARY) writeDouble(writer, origin);
  const turn = cyclic && family !== BINARY ? DEGREES_IN_A_TURN * factor : 0;
  if (!writeIntegers(writer, integers, length, turn, true)) return false;
  writeSmallIntegers(writer, differences, length + 1, nonzero);
  return true;
}

/** Reads `count` (at least 1) values that `writeApproximations` wrote. Throws TrailPathDamagedError. */
export function readApproximations(reader: BitReader, values: Float64Array, count: number): void {
  const family = reader.read(FAMILY_BITS);
  const exponent = reader.read(EXPONENT_BITS) - EXPONENT_BIAS;
  const product = reader.read(1) === 1;
  const decimals = reader.read(DECIMALS_BITS);
  if (family !== BINARY && !(exponent >= 0 && exponent <= LARGEST_EXPONENT)) {
    throw new TrailPathDamagedError(`A scale has the exponent ${exponent}, not one from 0 to ${LARGEST_EXPONENT}.`);
  }
  const exceptions = readExceptions(reader, count);
  const length = count - exceptions.length;
  if (length > 0) {
    const factor = factorOf({ family, exponent });
    const origin = family === BINARY ? readDouble(reader) : 0;
    readIntegers(reader, values, length, DEGREES_IN_A_TURN * factor, true);
    readSmallIntegers(reader, differences, length + 1);
    const inverse = 1 / factor;
    const power = POWERS[decimals] ?? 1;
    for (let index = 0; index < length; index++) {
      const integer = (values[index] ?? 0) + origin;
      let value = product ? integer * inverse : integer / factor;
      if (decimals > 0) value = Math.round(value * power) / power;
      const difference = differences[index + 1] ?? 0;
      if (difference !== 0) value = moved(value, difference);
      if (!Number.isFinite(value))
        throw new TrailPathDamagedError(`Number ${index} of a column is ${value}, not finite.`);
      values[index] = value;
    }
  }
  // From the last one on, so that no value is overwritten before it is moved.
  let end = count;
  for (const [place, { index, value }] of [...exceptions.entries()].reverse()) {
    values.copyWithin(index + 1, index - place, end - place - 1);
    values[index] = value;
    end = index;
  }
}

/** A device that knows no course, or no place, sends one of these. */
function isNone(value: number): boolean {
  return value === 0 || value === -1;
}

/** Draws the sample; returns its length, and leaves out what says that there is no value, unless there is nothing else. */
function drawSample(values: Float64Array, count: number): number {
  const stride = Math.max(1, Math.floor(count / SAMPLE_LENGTH));
  for (const step of [stride, 1]) {
    let length = 0;
    for (let index = 0; index < count && length < SAMPLE_LENGTH; index += step) {
      const value = values[index] ?? 0;
      if (!isNone(value)) sample[length++] = value;
    }
    if (length > 0) return length;
  }
  return 0;
}

/** The scale that suits most values of a sample; null when there is nothing to put on a scale. */
function scaleOf(values: Float64Array, count: number): Scale | null {
  const length = drawSample(values, count);
  if (length === 0) return null;
  let largest = 0;
  for (let index = 0; index < length; index++) largest = Math.max(largest, Math.abs(sample[index] ?? 0));
  const decimals = decimalsOf(length, largest);
  if (decimals >= 0 && decimals < FINE_DECIMALS) return divided(length, DECIMAL, decimals, 0);
  const tolerance = decimals < 0 ? 0 : 0.51 / (POWERS[decimals] ?? 1);
  // On a finer scale the values would be found by chance.
  const finest = tolerance > 0 ? CERTAINTY / tolerance : LARGEST_ROUNDED / largest;
  const last = lastPower(finest / SECONDS_IN_A_DEGREE);
  // What lies on any of these scales lies on the last one too.
  if (last >= 0 && fits(length, factorOf({ family: SECONDS, exponent: last }), tolerance)) {
    for (let step = 0; step <= 2 * last + 1; step++) {
      const [family, exponent] = [step % 2 === 0 ? MINUTES : SECONDS, step >>> 1];
      if (fits(length, factorOf({ family, exponent }), tolerance)) {
        return divided(length, family, exponent, Math.max(0, decimals));
      }
    }
  }
  return decimals < 0 ? binary(length) : divided(length, DECIMAL, decimals, 0);
}

/** The fewest decimals, 0 to 15, that most of the sample has, if it is so many; -1 when it is not. */
function decimalsOf(length: number, largest: number): number {
  const rounded = lastPower(LARGEST_ROUNDED / largest);
  // What has fewer decimals lies on this scale too.
  const hasFew = rounded >= 0 && fits(length, POWERS[rounded] ?? 1, 0);
  for (let decimals = hasFew ? 0 : rounded + 1; decimals < POWERS.length; decimals++) {
    if (fits(length, POWERS[decimals] ?? 1, 0)) return decimals;
  }
  return -1;
}

/** The exponent of the last power of ten in the table up to `limit`; -1 when even the first is above it. */
function lastPower(limit: number): number {
  let exponent = POWERS.length - 1;
  while (exponent >= 0 && (POWERS[exponent] ?? 1) > limit) exponent--;
  return exponent;
}

/** Whether most of the sample lies on a scale, up to `tolerance`; when this is 0, up to what few operations round. */
function fits(length: number, factor: number, tolerance: number): boolean {
  let strays = 0;
  for (let index = 0; index < length; index++) {
    const value = sample[index] ?? 0;
    const integer = Math.round(value * factor);
    const size = Math.abs(integer);
    const error = Math.abs(value - integer / factor);
    const allowed = tolerance > 0 ? tolerance : size <= LARGEST_ROUNDED ? Math.abs(value) * ROUNDING : 0;
    if (error <= allowed && size <= LARGEST_EXACT) continue;
    strays++;
    // The second stray among the first few says enough.
    if (strays * STRAY_SHARE > length || (strays - 1) * STRAY_SHARE > index) return false;
  }
  return true;
}

function divided(length: number, family: number, exponent: number, decimals: number): Scale {
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
  return { family, exponent, decimals, product: decimals === 0 && products > quotients };
}

/** The coarsest power of two on which the whole sample lies, or else the finest that leaves room for larger steps. */
function binary(length: number): Scale {
  let finest = LARGEST_BINARY_EXPONENT;
  let coarsest = -LARGEST_BINARY_EXPONENT;
  let [smallest, largest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < length; index++) {
    const value = sample[index] ?? 0;
    smallest = Math.min(smallest, value);
    largest = Math.max(largest, value);
    double[0] = value;
    const [low, high] = [words[0] ?? 0, words[1] ?? 0];
    // The exponent of the double's last bit that is one.
    const zeros = low === 0 ? 32 + trailingZeros(high) : trailingZeros(low);
    const last = FRACTION_BITS - Math.min(zeros, FRACTION_BITS) - (((high >>> 20) & 0x7ff) - 1023);
    coarsest = Math.max(coarsest, last);
    finest = Math.min(finest, FRACTION_BITS - (((high >>> 20) & 0x7ff) - 1023));
  }
  while ((largest - smallest) * 2 ** finest > LARGEST_RANGE) finest--;
  return { family: BINARY, exponent: Math.min(finest, coarsest), product: false, decimals: 0 };
}

function trailingZeros(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** How many doubles `value` lies behind `base`; about that where the number is beyond 2^53. */
function differenceOf(value: number, base: number): number {
  double[0] = value;
  double[1] = base;
  const high = (words[1] ?? 0) - (words[3] ?? 0);
  return high * WORD_RANGE + (((words[0] ?? 0) >>> 0) - ((words[2] ?? 0) >>> 0));
}

/** The double that lies so many behind `base`. */
function moved(base: number, difference: number): number {
  double[0] = base;
  const high = Math.floor(difference / WORD_RANGE);
  const low = ((words[0] ?? 0) >>> 0) + (difference - high * WORD_RANGE);
  words[1] = (words[1] ?? 0) + high + (low >= WORD_RANGE ? 1 : 0);
  words[0] = low;
  return double[0] ?? 0;
}

/** Writes how many exceptions there are, and of each its distance from the last and its value, if that is another one. */
function writeExceptions(writer: BitWriter, values: Float64Array, exceptions: readonly number[]): void {
  writer.writeNumber(exceptions.length);
  let last = -1;
  let previous = 0;
  for (const index of exceptions) {
    const value = values[index] ?? 0;
    const same = Object.is(value, previous);
    writer.writeNumber(index - last);
    writer.write(same ? 1 : 0, 1);
    if (!same) writeDouble(writer, value);
    last = index;
    previous = value;
  }
}

function readExceptions(reader: BitReader, count: number): { index: number; value: number }[] {
  const exceptions: { index: number; value: number }[] = [];
  const length = reader.readNumber();
  if (length > count) throw new TrailPathDamagedError(`${count} values cannot have ${length} exceptions.`);
  let index = -1;
  let value = 0;
  while (exceptions.length < length) {
    const distance = reader.readNumber();
    index += distance;
    if (distance === 0 || index >= count) throw new TrailPathDamagedError('An exception lies on or behind another.');
    if (reader.read(1) === 0) value = readDouble(reader);
    exceptions.push({ index, value });
  }
  return exceptions;
}
