import { MAXIMUM_DECIMALS } from './decimals.ts';
import { leadingDigits, spelledBy, WORD_BYTES, type WordReader } from './text-words.ts';
import { MAXIMUM_TRAIL_POINTS } from './trail-point.ts';

const [ZERO, MINUS, POINT] = [0x30, 0x2d, 0x2e] as const;
/** All whole numbers of at most 15 digits are below it, which is less than 2^50. */
const INTEGER_LIMIT = 1e15;
const POWERS = Float64Array.from({ length: MAXIMUM_DECIMALS + 1 }, (_, exponent) => 10 ** exponent);

/**
 * One column of a path read from JSON numbers as whole numbers, value = integers[i] / 10^decimals, without the value
 * itself: exactly what `toIntegers` makes of the values that JSON.parse gives.
 *
 * Why that is so: a number is taken only as -?digits[.digits], and a column only when its integers at the column's
 * decimals D, the most that any of its numbers has behind the point without trailing zeros, have at most 15 digits.
 * A number then is N / 10^D with whole N below 2^50, both exact as float64, so that N / 10^D, rounded once, is the value v
 * that JSON.parse gives. With D decimals `toIntegers` finds N: v differs from N / 10^D by less than 2^-53 of it, so
 * v * 10^D before rounding differs from N by less than 1/8, and floats near N are at most 1/8 apart; it rounds to N.
 * With fewer decimals it finds nothing: for the number that has D of them it would need another decimal number of at most
 * 15 digits with the same float64, and two different ones never share one.
 * -0, whose sign an integer would lose, is not taken.
 */
export class ScannedColumn {
  readonly integers = new Float64Array(MAXIMUM_TRAIL_POINTS);
  decimals = 0;
  private readonly whole: boolean;

  /** A `whole` one takes no number with a decimal point. */
  constructor({ whole }: { whole: boolean }) {
    this.whole = whole;
  }

  reset(): void {
    this.decimals = 0;
  }

  /** Reads the number that starts at `start` as the one at `index`. Returns the index behind it; -1: it is not taken. */
  scan(text: WordReader, start: number, index: number): number {
    let word = text.read(start);
    const negative = (word & 0xff) === MINUS;
    const wholeStart = negative ? start + 1 : start;
    if (negative) word = text.read(wholeStart);
    const leadingZero = (word & 0xff) === ZERO;
    let at = wholeStart;
    let fractionStart = 0;
    let mantissa = 0;
    for (;;) {
      const digits = leadingDigits(word);
      if (digits > 0) mantissa = mantissa * (POWERS[digits] ?? 0) + spelledBy(word, digits);
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
    if (wholeDigits === 0 || (leadingZero && wholeDigits > 1) || mantissa >= INTEGER_LIMIT) return -1;
    if (fractionStart > 0 && (decimals === 0 || this.whole)) return -1;
    if (negative && mantissa === 0) return -1;
    if (decimals > this.decimals) {
      for (; decimals > 0 && mantissa % 10 === 0; decimals--) mantissa /= 10;
      if (!this.widen(decimals, index)) return -1;
    }
    // Where the column has as many decimals, or more, zeros at the number's end make no difference.
    const size = mantissa * (POWERS[this.decimals - decimals] ?? 0);
    if (size >= INTEGER_LIMIT) return -1;
    this.integers[index] = negative ? -size : size;
    return at;
  }

  /** The smallest and the largest of the first `count` values. */
  range(count: number): { smallest: number; largest: number } {
    let smallest = Infinity;
    let largest = -Infinity;
    for (let index = 0; index < count; index++) {
      const integer = this.integers[index] ?? 0;
      if (integer < smallest) smallest = integer;
      if (integer > largest) largest = integer;
    }
    const scale = POWERS[this.decimals] ?? 1;
    return { smallest: smallest / scale, largest: largest / scale };
  }

  /** Gives the first `count` integers so many decimals, if they have fewer; false when that cannot be. */
  private widen(decimals: number, count: number): boolean {
    if (decimals <= this.decimals) return true;
    if (decimals > MAXIMUM_DECIMALS) return false;
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
