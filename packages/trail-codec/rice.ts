/**
 * Rice codes for residuals of like size. Each block has its own parameter k (5 bits); a residual is zigzagged, its
 * quotient by 2^k written as so many zero bits and a one, its remainder in k bits. A quotient of 16 or more (a jump,
 * rare) is written as 16 zero bits and the whole number behind them.
 */

import type { BitReader } from './bit-reader.ts';
import type { BitWriter } from './bit-writer.ts';
import { TrailPathDamagedError } from './errors.ts';
import { unzigzag, zigzag } from './zigzag.ts';

const BLOCK_LENGTH = 64;
const PARAMETER_BITS = 5;
const MAXIMUM_PARAMETER = 24;
const ESCAPE_QUOTIENT = 16;
/** What one write takes and one peek is sure to show. */
const WORD_BITS = 24;
const ESCAPE_MASK = 2 ** ESCAPE_QUOTIENT - 1;
/** About what an escaped residual takes: its zeros, its length and its bits. */
const ESCAPE_COST = ESCAPE_QUOTIENT + 6 + 20;
/** Stands for every larger number where only the quotient counts: with any parameter it is escaped. */
const LARGE = 0x7fffffff;

const folded = new Int32Array(BLOCK_LENGTH);

/** The most bytes that `count` residuals can take. */
export function maximumRiceBytes(count: number): number {
  return count * 10 + 8;
}

/** Writes residuals[i] for 1 <= i < count; all must be whole numbers from -2^52 + 1 to 2^52 - 1. */
export function writeRice(writer: BitWriter, residuals: Float64Array, count: number): void {
  for (let start = 1; start < count; start += BLOCK_LENGTH) {
    const length = Math.min(BLOCK_LENGTH, count - start);
    for (let index = 0; index < length; index++) folded[index] = fold(residuals[start + index] ?? 0);
    const parameter = bestParameter(length);
    const mask = (1 << parameter) - 1;
    writer.write(parameter, PARAMETER_BITS);
    for (let index = 0; index < length; index++) {
      const number = folded[index] ?? 0;
      const quotient = number >>> parameter;
      if (quotient >= ESCAPE_QUOTIENT) {
        writer.write(0, ESCAPE_QUOTIENT);
        writer.writeNumber(zigzag(residuals[start + index] ?? 0));
      } else if (quotient + 1 + parameter <= WORD_BITS) {
        writer.write(((number & mask) << (quotient + 1)) | (1 << quotient), quotient + 1 + parameter);
      } else {
        writer.write(1 << quotient, quotient + 1);
        writer.write(number & mask, parameter);
      }
    }
  }
}

/** Reads `count - 1` residuals into residuals[1] and on. */
export function readRice(reader: BitReader, residuals: Float64Array, count: number): void {
  for (let start = 1; start < count; start += BLOCK_LENGTH) {
    const end = Math.min(start + BLOCK_LENGTH, count);
    const parameter = reader.read(PARAMETER_BITS);
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
  return residual < 0x40000000 && residual > -0x40000000 ? (residual << 1) ^ (residual >> 31) : LARGE;
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
