/** Returns the median. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Returns half the distance between the extremes, as a percentage of the median. */
export function spreadPercent(figures: readonly number[]): number {
  const distance = Math.max(...figures) - Math.min(...figures);
  return distance === 0 ? 0 : (distance / 2 / median(figures)) * 100;
}

/** Returns a percentile (the p99 for a `share` of 0.99): at least this share of the numbers is at or below it. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Resolves with a call's duration in milliseconds. */
export async function millisecondsOf(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

/**
 * Runs each of the functions once per round, one after another, so that all of them run under the same load. Returns
 * the measurements of each function, round by round.
 */
export async function inRounds<Figures>(
  rounds: number,
  works: readonly (() => Promise<Figures>)[],
): Promise<Figures[][]> {
  const measured = works.map((): Figures[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, work] of works.entries()) measured[index]?.push(await work());
  }
  return measured;
}
