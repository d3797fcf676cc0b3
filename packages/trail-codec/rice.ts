/**
 * Rice codes for residuals of like size. Each block has its own parameter k (5 bits); a residual is zigzagged, its
 * quotient by 2^k written as so many zero bits and a one, its remainder in k bits. A quotient of 16 or more (a jump,
 * rare) is written as 16 zero bits and the whole number behind them. A wide block, which version 3 alone knows, has 31 in
 * the place of k and a k of up to 53 bits behind it (6 bits).
 */

import type { BitReader } from './bit-reader.ts';
import { type BitWriter, bitLength } from './bit-writer.ts';
import { TrailPathDamagedError } from './errors.ts';
import { unzigzag, zigzag } from './zigzag.ts';

const BLOCK_LENGTH = 64;
const PARAMETER_BITS = 5;
const MAXIMUM_PARAMETER = 24;
const WIDE = 31;
const WIDE_PARAMETER_BITS = 6;
const MAXIMUM_WIDE_PARAMETER = 53;
/** What is added to the mean length of numbers in bits for the parameter that suits them best. */
const LENGTH_TO_PARAMETER = 0.3;
const ESCAPE_QUOTIENT = 16;
/** What one write takes and one peek is sure to show. */
const WORD_BITS = 24;
const ESCAPE_MASK = 2 ** ESCAPE_QUOTIENT - 1;
/** About what an escaped residual takes: its zeros, its length and its bits. */
const ESCAPE_COST = ESCAPE_QUOTIENT + 6 + 20;
/** Stands for every larger number where only the quotient counts: with any parameter it is escaped. */
const LARGE = 0x7fffffff;

const folded = new Int32Array(BLOCK_LENGTH);

/** Writes residuals[i] for 1 <= i < count; all must be whole numbers from -2^52 + 1 to 2^52 - 1. */
export function writeRice(writer: BitWriter, residuals: Float64Array, count: number, mayBeWide: boolean): void {
  for (let start = 1; start < count; start += BLOCK_LENGTH) {
    const length = Math.min(BLOCK_LENGTH, count - start);
    let bits = 0;
    for (let index = 0; index < length; index++) {
      const number = fold(residuals[start + index] ?? 0);
      bits += 32 - Math.clz32(number);
      folded[index] = number;
    }
    // The mean length costs one look at each number, and is as good where the bytes are not stored yet.
    const parameter = mayBeWide ? Math.floor(bits / length + LENGTH_TO_PARAMETER) : bestParameter(length);
    if (parameter > MAXIMUM_PARAMETER) writeWideBlock(writer, residuals, start, start + length);
    else writeBlock(writer, residuals, start, length, parameter);
  }
}

/** Writes the block whose numbers are in `folded`. */
function writeBlock(
  writer: BitWriter,
  residuals: Float64Array,
  start: number,
  length: number,
  parameter: number,
): void {
  const mask = (1 << parameter) - 1;
  // Codes are gathered here: a write costs more than what it writes.
  let word = parameter;
  let width = PARAMETER_BITS;
  for (let index = 0; index < length; index++) {
    const number = folded[index] ?? 0;
    const quotient = number >>> parameter;
    const codeWidth = quotient + 1 + parameter;
    if (width + codeWidth > WORD_BITS || quotient >= ESCAPE_QUOTIENT) {
      writer.write(word, width);
      word = 0;
      width = 0;
    }
    if (quotient >= ESCAPE_QUOTIENT) {
      writer.write(0, ESCAPE_QUOTIENT);
      writer.writeNumber(zigzag(residuals[start + index] ?? 0));
    } else if (codeWidth <= WORD_BITS) {
      word |= (((number & mask) << (quotient + 1)) | (1 << quotient)) << width;
      width += codeWidth;
    } else {
      writer.write(1 << quotient, quotient + 1);
      word = number & mask;
      width = parameter;
    }
  }
  writer.write(word, width);
}

function writeWideBlock(writer: BitWriter, residuals: Float64Array, start: number, end: number): void {
  let bits = 0;
  for (let index = start; index < end; index += 2) bits += bitLength(Math.abs(residuals[index] ?? 0));
  // The mean length of every second number; zigzagged it has one bit more.
  const mean = Math.floor((2 * bits) / (end - start) + 1 + LENGTH_TO_PARAMETER);
  const parameter = Math.max(WORD_BITS, Math.min(MAXIMUM_WIDE_PARAMETER, mean));
  writer.write(WIDE, PARAMETER_BITS);
  writer.write(parameter, WIDE_PARAMETER_BITS);
  const divisor = 2 ** parameter;
  for (let index = start; index < end; index++) {
    const number = zigzag(residuals[index] ?? 0);
    const quotient = Math.floor(number / divisor);
    if (quotient >= ESCAPE_QUOTIENT) {
      writer.write(0, ESCAPE_QUOTIENT);
      writer.writeNumber(number);
    } else {
      const remainder = number - quotient * divisor;
      // As much of the remainder as fits beside the quotient.
      const fitting = WORD_BITS - quotient - 1;
      const lowest = (remainder >>> 0) & ((1 << fitting) - 1);
      writer.write((lowest << (quotient + 1)) | (1 << quotient), WORD_BITS);
      writer.writeWide((remainder - lowest) / (1 << fitting), parameter - fitting);
    }
  }
}

function readWideBlock(reader: BitReader, residuals: Float64Array, start: number, end: number): void {
  const parameter = reader.read(WIDE_PARAMETER_BITS);
  if (parameter > MAXIMUM_WIDE_PARAMETER) {
    throw new TrailPathDamagedError(`A wide block has the Rice parameter ${parameter}, more than 53.`);
  }
  const divisor = 2 ** parameter;
  for (let index = start; index < end; index++) {
    const bits = reader.peek();
    if ((bits & ESCAPE_MASK) === 0) {
      reader.skip(ESCAPE_QUOTIENT);
      residuals[index] = unzigzag(reader.readNumber());
      continue;
    }
    const quotient = 31 - Math.clz32(bits & -bits);
    reader.skip(quotient + 1);
    residuals[index] = unzigzag(quotient * divisor + reader.readWide(parameter));
  }
}

/** Reads `count - 1` residuals into residuals[1] and on. */
export function readRice(reader: BitReader, residuals: Float64Array, count: number, mayBeWide: boolean): void {
  for (let start = 1; start < count; start += BLOCK_LENGTH) {
    const end = Math.min(start + BLOCK_LENGTH, count);
    const parameter = reader.read(PARAMETER_BITS);
    if (parameter === WIDE && mayBeWide) {
      readWideBlock(reader, residuals, start, end);
      continue;
    }
    if (parameter > MAXIMUM_PARAMETER) {
      throw new TrailPathDamagedError(`A block has the Rice parameter ${parameter}, more than ${MAXIMUM_PARAMETER}.`);
    }
    const mask = (1 << parameter) - 1;
    for (let index = start; index < end; index++) {
      const bits = reader.peek();
      if ((bits & ESCAPE_MASK) === 0) {
        reader.skip(ESCAPE_QUOTIENT);
        residuals[index] = unzigzag(reader.readNumber());
        continue;
      }
      const quotient = 31 - Math.clz32(bits & -bits);
      let remainder = (bits >>> (quotient + 1)) & mask;
      if (quotient + 1 + parameter <= WORD_BITS) {
        reader.skip(quotient + 1 + parameter);
      } else {
        reader.skip(quotient + 1);
        remainder = reader.read(parameter);
      }
      const number = (quotient << parameter) | remainder;
      residuals[index] = (number >>> 1) ^ -(number & 1);
    }
  }
}

function fold(residual: number): number {
  const whole = residual | 0;
  return residual < 0x40000000 && residual > -0x40000000 ? (whole << 1) ^ (whole >> 31) : LARGE;
}

/** The cheapest parameter at or below the one that the mean suggests, which single large residuals push too high. */
function bestParameter(length: number): number {
  let sum = 0;
  for (let index = 0; index < length; index++) sum += folded[index] ?? 0;
  let parameter = Math.min(MAXIMUM_PARAMETER, 31 - Math.clz32(Math.max(1, sum / length)));
  let cost = costOf(length, parameter);
  while (parameter > 0) {
    const lowerCost = costOf(length, parameter - 1);
    if (lowerCost >= cost) break;
    cost = lowerCost;
    parameter--;
  }
  return parameter;
}

function costOf(length: number, parameter: number): number {
  let cost = length * (parameter + 1);
  for (let index = 0; index < length; index++) {
    const quotient = (folded[index] ?? 0) >>> parameter;
    cost += quotient < ESCAPE_QUOTIENT ? quotient : ESCAPE_COST;
  }
  return cost;
}
