/** Whether each benchmark runs only to show that it still works. In that case, its results are meaningless. */
export const IS_SMOKE = process.env['BENCH_SMOKE'] === '1';

/**
 * Returns a size for a benchmark: the value of the variable `BENCH_...` if it is set, otherwise the size for this kind
 * of run.
 */
export function size(full: number, smoke: number, variable?: string): number {
  const wanted = variable === undefined ? undefined : process.env[`BENCH_${variable}`];
  return Number(wanted ?? (IS_SMOKE ? smoke : full));
}
