/** With more lanes, a check would need more connections than the pools have and would not end in time. */
const MAX_LANES = 4;

/**
 * Returns the lanes that a readiness check includes: first those that were not ready, and then the others in turn.
 *
 * @param turn the number of earlier checks
 */
export function dueLanes<Lane extends { number: number }>(
  lanes: readonly Lane[],
  unready: ReadonlySet<number>,
  turn: number,
): Lane[] {
  const again = lanes.filter(({ number }) => unready.has(number));
  const others = lanes.filter(({ number }) => !unready.has(number));
  const begin = (turn * MAX_LANES) % Math.max(1, others.length);
  return [...again, ...others.slice(begin), ...others.slice(0, begin)].slice(0, MAX_LANES);
}
