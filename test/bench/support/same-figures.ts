/** Sums of doubles differ from exact ones by their rounding. */
const TOLERANCE = 1e-9;

/** The path of the first difference between two JSON values, numbers compared within rounding; null when they are the same. */
export function firstDifference(left: unknown, right: unknown, path = ''): string | null {
  if (typeof left === 'number' && typeof right === 'number')
    return Math.abs(left - right) <= TOLERANCE * Math.max(1, Math.abs(left)) ? null : path;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return left === right ? null : path;
  const rights = new Map(Object.entries(right));
  if (Object.keys(left).length !== rights.size) return path;
  for (const [name, value] of Object.entries(left)) {
    const difference = firstDifference(value, rights.get(name), `${path}/${name}`);
    if (difference !== null) return difference;
  }
  return null;
}
