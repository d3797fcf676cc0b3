const GAP_SECONDS = 10;
const SHOWN_SECONDS = 300;
/** The share of the vertical axis above the largest value. */
const MARGIN = 0.15;

/** The first and last time on the horizontal axis, which ends at `end`. All times are epoch seconds. */
export function timeRange(end: number): [number, number] {
  return [end - SHOWN_SECONDS, end];
}

/** The first and last value on the vertical axis. The axis ends at 1 or above, so a value of 0 is at the bottom. */
export function valueRange(largest: number): [number, number] {
  return [0, Math.max(1, largest * (1 + MARGIN))];
}

/** The start and end of each interval without a connection. Lines must not cross these intervals. */
export function gapsBetween(times: readonly number[]): [number, number][] {
  return times.flatMap((after, index): [number, number][] => {
    const before = times[index - 1];
    return before !== undefined && after - before > GAP_SECONDS ? [[before, after]] : [];
  });
}
