/** Signed whole numbers as unsigned ones, small ones staying small: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4. */
export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

export function unzigzag(value: number): number {
  const half = Math.floor(value / 2);
  return value - 2 * half === 1 ? -half - 1 : half;
}
