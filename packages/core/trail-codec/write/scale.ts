import { BINARY, DECIMAL, factorOf, MINUTES, POWERS, SECONDS, SECONDS_PER_DEGREE } from '../format.ts';

const FRACTION_BITS = 52;
const MAX_BINARY_EXPONENT = 1000;

/** A sample of this many values determines the scale. One in `STRAY_SHARE` sampled values may be off the scale. */
const SAMPLE_LENGTH = 16;
const STRAY_SHARE = 8;
/** The relative error that builds up in a few operations on doubles. */
const ROUNDING_ERROR = 2 ** -50;
/** Above this number, the values of a scale are so dense that a double is near one of them by coincidence. */
const MAX_ROUNDED = 2 ** 43;
/** Up to this number, 15 digits distinguish all whole numbers. */
const MAX_EXACT = 1e15;
/** The tolerance may be at most this fraction of the step between two values of a scale. */
const MAX_COVERAGE = 1 / 20;
/** A column whose values have fewer decimals cannot consist of rounded minutes or seconds. */
const FINE_DECIMALS = 10;
/** The maximum range of a sample on a binary scale. The range of the whole column can be four times as large. */
const MAX_SAMPLE_RANGE = 2 ** 50;

/**
 * On this scale, the integer n has the value n / factor or, for a product, n * (1 / factor), rounded to `decimals`
 * decimals unless `decimals` is 0.
 */
interface Scale {
  readonly family: number;
  readonly exponent: number;
  readonly isProduct: boolean;
  readonly decimals: number;
  /** The whole number subtracted from every integer; 0 unless the scale is binary. */
  readonly origin: number;
}

const sample = new Float64Array(SAMPLE_LENGTH);
const double = new Float64Array(1);
const words = new Int32Array(double.buffer);

/** Whether a value is a placeholder that devices send for an unknown course or position. */
export function isPlaceholder(value: number): boolean {
  return value === 0 || value === -1;
}

/** Takes the sample, without placeholders, and returns its length. */
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
export function chooseScale(values: Float64Array, count: number): Scale | null {
  const length = drawSample(values, count);
  if (length === 0) return null;
  let max = 0;
  for (let index = 0; index < length; index++) max = Math.max(max, Math.abs(sample[index] ?? 0));
  const decimals = minDecimals(length, max);
  if (decimals >= 0 && decimals < FINE_DECIMALS) return divisionScale(length, DECIMAL, decimals, 0);
  const tolerance = decimals < 0 ? 0 : 0.51 / (POWERS[decimals] ?? 1);
  // On an even finer scale, values would fit by coincidence.
  const finest = tolerance > 0 ? MAX_COVERAGE / tolerance : MAX_ROUNDED / max;
  const last = maxPower(finest / SECONDS_PER_DEGREE);
  // A value that fits any of these scales also fits the last one, so the loop is skipped if the sample does not fit the
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
 * Whether most of the sample fits a scale within `tolerance`. If `tolerance` is 0, the rounding error of a few
 * operations is tolerated.
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
    // If a second stray is among the first few values, the scale is rejected immediately.
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
  return { family, exponent, decimals, origin: 0, isProduct: decimals === 0 && products > quotients };
}

/**
 * Returns the coarsest power of two that restores the whole sample. If the sample's range is too large for that power,
 * returns the finest power that keeps the range within `MAX_SAMPLE_RANGE`.
 */
function binaryScale(length: number): Scale {
  let finest = MAX_BINARY_EXPONENT;
  let coarsest = -MAX_BINARY_EXPONENT;
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < length; index++) {
    const value = sample[index] ?? 0;
    min = Math.min(min, value);
    max = Math.max(max, value);
    double[0] = value;
    const [low, high] = [words[0] ?? 0, words[1] ?? 0];
    // The exponent of the smallest power of two that makes the value a whole number.
    const zeros = low === 0 ? 32 + trailingZeros(high) : trailingZeros(low);
    const last = FRACTION_BITS - Math.min(zeros, FRACTION_BITS) - (((high >>> 20) & 0x7ff) - 1023);
    coarsest = Math.max(coarsest, last);
    finest = Math.min(finest, FRACTION_BITS - (((high >>> 20) & 0x7ff) - 1023));
  }
  while ((max - min) * 2 ** finest > MAX_SAMPLE_RANGE) finest--;
  const exponent = Math.min(finest, coarsest);
  const origin = Math.round((sample[0] ?? 0) * 2 ** exponent);
  return { family: BINARY, exponent, isProduct: false, decimals: 0, origin };
}

function trailingZeros(word: number): number {
  return 31 - Math.clz32(word & -word);
}
