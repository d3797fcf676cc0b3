/**
 * What the bytes of a trail path mean, for both directions. The codec is lossless, compact and protected by a checksum.
 * The bytes of a path are a stream of numbers of any bit width, lowest bit first, and a checksum. The last byte of the
 * stream is padded with zero bits. The stream consists of the format (8 bits), the number of points, and the columns
 * timestamp, latitude, longitude and course.
 */

/** The format of a path, whose bits precede all others. */
export const FORMAT = 1;
export const FORMAT_BITS = 8;
/** The checksum is a CRC-32, lowest byte first. */
export const CHECKSUM_BYTES = 4;

/**
 * A whole number from 0 to 2^53 - 1 is stored as its bit length (6 bits) and its bits, in chunks of at most 24 bits. A
 * double is stored as its 64 bits, in half words.
 */
export const NUMBERS = { LENGTH_BITS: 6, CHUNK_BITS: 24, CHUNK_RANGE: 2 ** 24, HALF_WORD_BITS: 16 } as const;

/**
 * The bits of a column are its form (4 bits) and its content. In forms 0 to 9, the values are multiplied by 10^form and
 * stored as integers. Form 10 stores doubles that are close to a scale's values. Form 11 stores the lengths of runs of
 * equal values and is followed by another form. Form 15 stores plain doubles.
 *
 * Runs of equal values come from devices that write faster than they measure. Each value is stored once with the length
 * of its run. The values in all columns usually repeat at the same points, so a column can reuse the run lengths of the
 * previous one (1 bit).
 */
export const FORM_BITS = 4;
export const MAX_DECIMALS = 9;
export const FORMS = { APPROXIMATIONS: 10, RUNS: 11, DOUBLES: 15 } as const;

/**
 * Sequences of whole numbers consist of the order (1 bit), whether turns are unwrapped (1 bit), whether the residuals
 * are sparse (1 bit), the first number, the constant step and the residuals. A residual is the difference between a
 * number and its prediction. Order 1 predicts the previous number plus the constant step. Order 2 predicts that the
 * previous step is repeated, which suits a moving vehicle.
 */
export type Order = 1 | 2;
export const DEGREES_PER_TURN = 360;
/** Zigzag encoding doubles a number. Up to this limit, the result is still a safe integer. */
export const MAX_INTEGER = 2 ** 52 - 1;

/** Reverses the unwrapping of turns. */
export function wrapTurns(integers: Float64Array, count: number, turn: number): void {
  for (let index = 0; index < count; index++) {
    const integer = integers[index] ?? 0;
    if (integer < 0 || integer >= turn) integers[index] = integer - turn * Math.floor(integer / turn);
  }
}

/**
 * Rice codes of whole numbers of similar size. Each block has its own parameter k (5 bits). The code of a
 * zigzag-encoded number is its quotient by 2^k in unary (a zero bit for each unit, then a one), followed by the
 * remainder in k bits. If the quotient is 16 or more, which is rare, the code is 16 zero bits, followed by the whole
 * number. In a block of large numbers, the 5 bits contain 31, and k, which is then at most 53, follows in 6 bits.
 */
export const RICE = {
  BLOCK_LENGTH: 64,
  PARAMETER_BITS: 5,
  MAX_PARAMETER: 24,
  WIDE: 31,
  WIDE_PARAMETER_BITS: 6,
  MAX_WIDE_PARAMETER: 53,
  ESCAPE_QUOTIENT: 16,
  /** The maximum number of bits that one write accepts and that one peek always returns. */
  WORD_BITS: 24,
};

/**
 * A column of doubles. Each double is stored as a whole number on a scale, plus the difference between the double and
 * that number's value. Doubles from real devices are hardly ever arbitrary, because they result from dividing or
 * multiplying a fraction, or from a conversion from single precision. So on the right scale, most differences are zero.
 * For other doubles, the scale is a power of two.
 *
 * A column consists of the following, with the number of bits in brackets: the scale's family (2), its exponent (12),
 * whether a number is multiplied (1), the decimals after rounding (4), the exceptions, the origin of a binary scale
 * (64), the integers, and the differences in units in the last place.
 *
 * The number of exceptions comes first. Each exception has its distance from the previous exception and one bit that
 * says whether both have the same value. If they do not, the value follows.
 */
export const SCALE = { FAMILY_BITS: 2, EXPONENT_BITS: 12, EXPONENT_BIAS: 2 ** 11, DECIMALS_BITS: 4 } as const;
/** The families of scales are decimal fractions of a degree, minute or second, and binary fractions. */
export const [DECIMAL, MINUTES, SECONDS, BINARY] = [0, 1, 2, 3] as const;
export const SECONDS_PER_DEGREE = 3600;
/** The number of units per degree in each family. */
const UNITS = [1, 60, SECONDS_PER_DEGREE, 1] as const;
export const POWERS = Float64Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`));

/** Returns the number of steps per degree of a scale. */
export function factorOf({ family, exponent }: { family: number; exponent: number }): number {
  return family === BINARY ? 2 ** exponent : (UNITS[family] ?? 1) * (POWERS[exponent] ?? 1);
}
