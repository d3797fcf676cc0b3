/** The figures of a trip that are summed. */
export const FIGURES = [
  'distance_miles',
  'duration_seconds',
  'night_driving_seconds',
  'highway_miles',
  'phone_use_count',
  'rapid_acceleration_count',
  'hard_brake_count',
  'overspeeding_count',
  'phone_use_time_seconds',
  'overspeeding_time_seconds',
] as const;

const SUMMED = ['trip_count', ...FIGURES] as const;

/**
 * Sums over some trips, the count first and then each of `FIGURES`, as PostgreSQL writes an array of numeric: `{2,7.25,…}`.
 * It stays text wherever something is added to it, as a double would not hold it exactly.
 */
export type ExactSums = string;

/** The same as doubles, which is what is answered. */
export type Sums = Record<(typeof SUMMED)[number], number>;

function arrayText(elements: readonly string[]): string {
  return `ARRAY[${elements.join(', ')}]::text`;
}

/** SQL of the exact sums of rows that are trips. */
export const SUMS_OF_TRIPS = arrayText(['count(*)::numeric', ...FIGURES.map((figure) => `sum(${figure})`)]);

/** SQL of the exact sums of rows that have sums in columns of the same names. */
export const SUMS_OF_SUMS = arrayText(SUMMED.map((figure) => `sum(${figure})`));

/** SQL of exact sums running over a window of groups of such rows. */
export function runningSumsOfSums(window: string): string {
  return arrayText(SUMMED.map((figure) => `sum(sum(${figure})) OVER ${window}`));
}

/** SQL of exact sums running over a window of rows that have exact sums in `column`, as numeric[]. */
export function runningSums(column: string, window: string): string {
  return arrayText(SUMMED.map((_, place) => `sum(${column}[${place + 1}]) OVER ${window}`));
}

/** @throws Error when the text is not that of exact sums */
export function readSums(sums: ExactSums): Sums {
  const figures = sums.slice(1, -1).split(',').map(Number);
  const at = (figure: (typeof SUMMED)[number]): number => {
    const value = figures[SUMMED.indexOf(figure)];
    if (value === undefined || Number.isNaN(value)) throw new Error(`Not the sums of trips: ${sums}.`);
    return value;
  };
  return {
    trip_count: at('trip_count'),
    distance_miles: at('distance_miles'),
    duration_seconds: at('duration_seconds'),
    night_driving_seconds: at('night_driving_seconds'),
    highway_miles: at('highway_miles'),
    phone_use_count: at('phone_use_count'),
    rapid_acceleration_count: at('rapid_acceleration_count'),
    hard_brake_count: at('hard_brake_count'),
    overspeeding_count: at('overspeeding_count'),
    phone_use_time_seconds: at('phone_use_time_seconds'),
    overspeeding_time_seconds: at('overspeeding_time_seconds'),
  };
}
