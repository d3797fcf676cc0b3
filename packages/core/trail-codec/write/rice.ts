import { RICE } from '../format.ts';
import { type BitWriter, bitLength, zigzag } from './bit-writer.ts';

// The compiler inlines local constants, but not imported ones.
const { BLOCK_LENGTH, PARAMETER_BITS, MAX_PARAMETER, WIDE, WIDE_PARAMETER_BITS, MAX_WIDE_PARAMETER } = RICE;
const { ESCAPE_QUOTIENT, WORD_BITS } = RICE;
/** The best parameter for a wide block is its numbers' mean bit length plus this value. */
const LENGTH_TO_PARAMETER = 0.3;
/** The approximate size of an escaped number, including its zeros, its length and its bits. */
const ESCAPE_COST = ESCAPE_QUOTIENT + 6 + 20;
/**
 * Replaces every larger number in `folded`. Whatever its parameter, a block written from `folded` escapes this number
 * and then writes the original number.
 */
const LARGE = 0x7fffffff;

/** The zigzag-encoded numbers of a block, at most `LARGE`. */
const folded = new Int32Array(BLOCK_LENGTH);

/** Writes residuals[i] for 1 <= i < count, which are whole numbers from -2^52 + 1 to 2^52 - 1. */
export function writeRice(writer: BitWriter, residuals: Float64Array, count: number): void {
  for (let start = 1; start < count; start += BLOCK_LENGTH) {
    const length = Math.min(BLOCK_LENGTH, count - start);
    let sum = 0;
    for (let index = 0; index < length; index++) {
      const number = fold(residuals[start + index] ?? 0);
      sum += number;
      folded[index] = number;
    }
    const parameter = 31 - Math.clz32(Math.max(1, sum / length));
    // A wide block saves space only if most numbers are large. Compare the mean bit length too, because a few jumps
    // hardly raise it.
    const isWide = parameter > MAX_PARAMETER && meanBitLength(length) > MAX_PARAMETER;
    if (isWide) writeWideBlock(writer, residuals, start, start + length);
    else writeBlock(writer, residuals, start, length, bestParameter(length, Math.min(MAX_PARAMETER, parameter)));
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
  // Collects several codes in a word, because a write is expensive.
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
  // The mean bit length is estimated from every second number in the block. Zigzag encoding adds one bit.
  const mean = Math.floor((2 * bits) / (end - start) + 1 + LENGTH_TO_PARAMETER);
  const parameter = Math.max(WORD_BITS, Math.min(MAX_WIDE_PARAMETER, mean));
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
      // Writes as many bits of the remainder as fit into a word after the quotient.
      const fitting = WORD_BITS - quotient - 1;
      const lowest = (remainder >>> 0) & ((1 << fitting) - 1);
      writer.write((lowest << (quotient + 1)) | (1 << quotient), WORD_BITS);
      writer.writeWide((remainder - lowest) / (1 << fitting), parameter - fitting);
    }
  }
}

function fold(residual: number): number {
  const whole = residual | 0;
  return residual < 0x40000000 && residual > -0x40000000 ? (whole << 1) ^ (whole >> 31) : LARGE;
}

function meanBitLength(length: number): number {
  let bits = 0;
  for (let index = 0; index < length; index++) bits += 32 - Math.clz32(folded[index] ?? 0);
  return bits / length;
}

/**
 * Returns the cheapest parameter, searching downwards from `max`. `max` follows from the mean, which may be too high
 * because of a few jumps.
 */
function bestParameter(length: number, max: number): number {
  let parameter = max;
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
