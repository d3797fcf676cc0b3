/** Reads a column of a path from ASCII text, four characters at a time as little-endian words. */

import { MAX_TRAIL_POINTS } from '@milepost/domain/vocabulary';
import { MAX_DECIMALS } from '../format.ts';

const WORD_BYTES = 4;
const ZEROS = 0x30303030;
const TENS = 0xf0f0f0f0 | 0;
/** Adding 6 to a byte from 10 to 15 carries into the upper four bits, which are 0 for a digit. */
const SIX = 0x06060606;
const [ZERO, MINUS, POINT] = [0x30, 0x2d, 0x2e] as const;
/** Whole numbers of at most 15 digits are below this limit, which itself is below 2^50. */
const INTEGER_LIMIT = 1e15;
const POWERS = Float64Array.from({ length: MAX_DECIMALS + 1 }, (_, exponent) => 10 ** exponent);

/** Reads words from bytes. */
export class WordReader {
  private readonly view: DataView;
  /** The view's length, copied because reading it from the view takes longer than reading a word. */
  private readonly length: number;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.length = bytes.byteLength;
  }

  /** Returns the four bytes from `at` on. Bytes beyond the end are zero. */
  read(at: number): number {
    if (at + WORD_BYTES <= this.length) return this.view.getInt32(at, true);
    let word = 0;
    for (let byte = 0; at + byte < this.length; byte++) word |= this.view.getUint8(at + byte) << (8 * byte);
    return word;
  }

  /** Whether the `length` bytes (at least 4) starting at `left` equal those starting at `right`. */
  isRepeated(left: number, right: number, length: number): boolean {
    if (right + length > this.length) return false;
    const last = length - WORD_BYTES;
    for (let offset = 0; offset < last; offset += WORD_BYTES) {
      if (this.view.getInt32(left + offset, true) !== this.view.getInt32(right + offset, true)) return false;
    }
    return this.view.getInt32(left + last, true) === this.view.getInt32(right + last, true);
  }
}

/** Returns the number of digits, 0 to 4, at the beginning of a word. */
function leadingDigits(word: number): number {
  const values = word ^ ZEROS;
  const others = (values | (values + SIX)) & TENS;
  // Branches are better than arithmetic here, because the processor predicts them, so the next read does not wait for
  // the count.
  if (others === 0) return 4;
  if ((others & 0xff) !== 0) return 0;
  if ((others & 0xff00) !== 0) return 1;
  return (others & 0xff0000) !== 0 ? 2 : 3;
}

/** Returns the number written in the first `digits` (1 to 4) characters of a word. */
function valueOfDigits(word: number, digits: number): number {
  const values = (word ^ ZEROS) << (8 * (WORD_BYTES - digits));
  const pairs = (Math.imul(values, 10) + (values >>> 8)) & 0x00ff00ff;
  return (pairs & 0xff) * 100 + (pairs >>> 16);
}

/**
 * A column of JSON numbers as whole numbers, where value = integers[i] / 10^decimals. The values themselves are never
 * computed. Nevertheless, the result is the same as if JSON.parse had read the values and the encoder had encoded them.
 *
 * This is the proof. A number is accepted only as -?digits[.digits]. Let D be the column's number of decimals, which is
 * the maximum number of digits after the point without trailing zeros. A column is accepted only if its integers, with
 * D decimals, have at most 15 digits. Each number is then N / 10^D with a whole N below 2^50. N and 10^D are exact
 * doubles. JSON.parse therefore returns N / 10^D rounded once; call this value v. The encoder multiplies v by 10^D. The
 * relative difference between v and N / 10^D is at most 2^-53, so the exact product differs from N by less than 1/8.
 * Doubles near N are at most 1/8 apart, so the computed product differs from N by less than 1/4, and Math.round returns
 * N. The encoder accepts N, because N / 10^D, rounded once, is v. With fewer decimals, the encoder cannot restore all
 * values, because at least one number needs D decimals, and two different decimal numbers of at most 15 digits never
 * have the same double. -0 is not accepted, because the integer 0 would lose the sign.
 */
export class ScannedColumn {
  readonly integers = new Float64Array(MAX_TRAIL_POINTS);
  decimals = 0;
  private readonly isWhole: boolean;

  /** @param isWhole whether numbers with a decimal point are refused */
  constructor({ isWhole }: { isWhole: boolean }) {
    this.isWhole = isWhole;
  }

  reset(): void {
    this.decimals = 0;
  }

  /**
   * Reads the number at `start` into `integers[index]`. Returns the index after the number; -1 when it is not accepted.
   */
  scan(text: WordReader, start: number, index: number): number {
    let word = text.read(start);
    const isNegative = (word & 0xff) === MINUS;
    const wholeStart = isNegative ? start + 1 : start;
    if (isNegative) word = text.read(wholeStart);
    const hasLeadingZero = (word & 0xff) === ZERO;
    let at = wholeStart;
    let fractionStart = 0;
    let mantissa = 0;
    for (;;) {
      const digits = leadingDigits(word);
      if (digits > 0) mantissa = mantissa * (POWERS[digits] ?? 0) + valueOfDigits(word, digits);
      at += digits;
      if (digits < WORD_BYTES) {
        const next = (word >>> (8 * digits)) & 0xff;
        if (next !== POINT || fractionStart > 0) break;
        fractionStart = ++at;
      }
      word = text.read(at);
    }
    const wholeDigits = (fractionStart > 0 ? fractionStart - 1 : at) - wholeStart;
    let decimals = fractionStart > 0 ? at - fractionStart : 0;
    if (wholeDigits === 0 || (hasLeadingZero && wholeDigits > 1) || mantissa >= INTEGER_LIMIT) return -1;
    if (fractionStart > 0 && (decimals === 0 || this.isWhole)) return -1;
    if (isNegative && mantissa === 0) return -1;
    if (decimals > this.decimals) {
      for (; decimals > 0 && mantissa % 10 === 0; decimals--) mantissa /= 10;
      if (!this.widen(decimals, index)) return -1;
    }
    // If the column already has enough decimals for this number, trailing zeros make no difference.
    const size = mantissa * (POWERS[this.decimals - decimals] ?? 0);
    if (size >= INTEGER_LIMIT) return -1;
    this.integers[index] = isNegative ? -size : size;
    return at;
  }

  /** The minimum and the maximum of the first `count` values. */
  range(count: number): { min: number; max: number } {
    let min = Infinity;
    let max = -Infinity;
    for (let index = 0; index < count; index++) {
      const integer = this.integers[index] ?? 0;
      if (integer < min) min = integer;
      if (integer > max) max = integer;
    }
    const scale = POWERS[this.decimals] ?? 1;
    return { min: min / scale, max: max / scale };
  }

  /**
   * Rescales the first `count` integers to at least `decimals` decimals. Returns false when an integer would be too
   * large.
   */
  private widen(decimals: number, count: number): boolean {
    if (decimals <= this.decimals) return true;
    if (decimals > MAX_DECIMALS) return false;
    const factor = POWERS[decimals - this.decimals] ?? 0;
    for (let index = 0; index < count; index++) {
      const integer = (this.integers[index] ?? 0) * factor;
      if (Math.abs(integer) >= INTEGER_LIMIT) return false;
      this.integers[index] = integer;
    }
    this.decimals = decimals;
    return true;
  }
}
