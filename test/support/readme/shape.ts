/**
 * Returns the aspects of a response that must match the README: names, nesting, and kinds of values. Only an array's
 * first element counts, and null matches any value.
 */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return 'value';
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}
