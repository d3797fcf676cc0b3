/** Whether each benchmark runs only to show that it still works. Its results then mean nothing. */
export const IS_SMOKE = process.env['BENCH_SMOKE'] === '1';

/**
 * Returns a size for a benchmark. This is the variable `BENCH_...` if it is set, and otherwise the size for this kind
 * of run.
 */
export function size(full: number, smoke: number, variable?: string): number {
  const wanted = variable === undefined ? undefined : process.env[`BENCH_${variable}`];
  return Number(wanted ?? (IS_SMOKE ? smoke : full));
}
