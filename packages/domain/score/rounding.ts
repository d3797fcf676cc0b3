const NOISE_FREE_DIGITS = 12;

/**
 * Rounds to one decimal, halves away from zero. The value is first brought to twelve significant digits, since a sum
 * of doubles that is 73.75 on paper may come out as 73.74999999999999 and would then be rounded the wrong way.
 */
export function roundToOneDecimal(value: number): number {
  const tenths = Number((Math.abs(value) * 10).toPrecision(NOISE_FREE_DIGITS));
  const rounded = Math.floor(tenths + 0.5) / 10;
  return value < 0 && rounded > 0 ? -rounded : rounded;
}
