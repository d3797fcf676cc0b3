/**
 * Returns the part of a response that must equal the README's: names, nesting, and kinds of values. Only the first
 * element of an array counts, and null may stand for any value.
 */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return 'value';
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}
