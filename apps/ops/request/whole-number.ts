import type { QueryString } from '@milepost/http';

export interface WholeNumberRange {
  minimum: number;
  maximum: number;
}

/** A whole number in the query string; undefined when it is absent or was rejected. */
export function readWholeNumber(
  query: QueryString,
  name: string,
  { minimum, maximum }: WholeNumberRange,
): number | undefined {
  const text = query.single(name);
  if (text === undefined) return undefined;
  // Number() alone would take " 5", "5.0", "0x5" and "5e0" as well.
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  query.reject(name, `Must be a plain decimal integer from ${minimum} to ${maximum}.`);
  return undefined;
}
