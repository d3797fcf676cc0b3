/** Returns the median. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Returns half the distance between the extremes, in percent of the median. */
export function spreadPercent(figures: readonly number[]): number {
  const distance = Math.max(...figures) - Math.min(...figures);
  return distance === 0 ? 0 : (distance / 2 / median(figures)) * 100;
}

/** Returns the smallest number that at least `share` of the numbers do not exceed. A `share` of 0.99 gives the p99. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
