/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Half the distance between the extremes, in percent of the median. */
export function spreadPercent(figures: readonly number[]): number {
  return ((Math.max(...figures) - Math.min(...figures)) / 2 / median(figures)) * 100;
}
