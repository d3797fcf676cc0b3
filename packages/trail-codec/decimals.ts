/** Decimal numbers as whole numbers: value = integer / 10^decimals, bit for bit. */

export const MAXIMUM_DECIMALS = 9;
/** Twice this, a zigzagged number, still is a safe integer. */
export const MAXIMUM_INTEGER = 2 ** 52 - 1;

/**
 * Writes integer = value * 10^decimals for all `count` values into `integers` and returns the fewest decimals, 0 to 9,
 * that give every value back bit for bit; -1 when none does.
 */
export function toIntegers(values: Float64Array, count: number, integers: Float64Array): number {
  let decimals = 0;
  let power = 1;
  for (let index = 0; index < count; ) {
    const value = values[index] ?? 0;
    const integer = Math.round(value * power);
    // Of -0 the integer 0 would lose the sign, which no comparison but Object.is sees.
    if (integer / power === value && Math.abs(integer) <= MAXIMUM_INTEGER && !Object.is(value, -0)) {
      integers[index++] = integer;
      continue;
    }
    // No fewer decimals than this value takes can do; it is the first to be tried with more.
    do {
      decimals++;
      power = 10 ** decimals;
      if (decimals > MAXIMUM_DECIMALS) return -1;
    } while (Math.round(value * power) / power !== value);
    index = 0;
  }
  return decimals;
}
