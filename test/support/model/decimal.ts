/** A decimal number: `digits` divided by ten to the power of `places`. */
interface Decimal {
  digits: bigint;
  places: number;
}

/** Parses a double's shortest decimal form. For example, `1.5e-7` is 15 with 8 places. */
function toDecimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole + fraction);
  const places = fraction.length - Number(exponent);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}

/** The double nearest to the exact sum of non-negative numbers. */
export function exactSum(values: readonly number[]): number {
  const decimals = values.map(toDecimal);
  const places = Math.max(0, ...decimals.map((decimal) => decimal.places));
  const total = decimals.reduce((sum, decimal) => sum + decimal.digits * 10n ** BigInt(places - decimal.places), 0n);
  return Number(`${total}e-${places}`);
}
