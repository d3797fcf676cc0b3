import type { Status } from '../api.ts';

/** The parts of a status that an observation contains. */
interface ObservedStatus extends Pick<Status, 'head_position' | 'dead_letters'> {
  projections: readonly Pick<Status['projections'][number], 'checkpoint' | 'lag_seconds'>[];
  sources: readonly Pick<Status['sources'][number], 'next_offset'>[];
}

const WINDOW_MILLISECONDS = 5 * 60_000;

/** The values that the charts show from a status received at `at` (epoch milliseconds). */
export function observationOf(status: ObservedStatus, at: number) {
  const { head_position, dead_letters, projections, sources } = status;
  return {
    at,
    head_position,
    /** The sum over all sources. */
    next_offsets: sources.reduce((sum, { next_offset }) => sum + next_offset, 0),
    /** The lowest checkpoint of any projection. */
    checkpoint: Math.min(head_position, ...projections.map(({ checkpoint }) => checkpoint)),
    lag_seconds: Math.max(0, ...projections.map(({ lag_seconds }) => lag_seconds)),
    dead_letters,
  };
}

export type Observation = ReturnType<typeof observationOf>;

/** Adds an observation and removes those older than five minutes. */
export function withObservation(before: readonly Observation[], observation: Observation): Observation[] {
  return [...before.filter(({ at }) => at > observation.at - WINDOW_MILLISECONDS), observation];
}

/** A value's growth per second from each observation to the next; null for the first observation and for a decrease. */
export function ratesOf(
  observations: readonly Observation[],
  figure: Exclude<keyof Observation, 'at'>,
): (number | null)[] {
  return observations.map((observation, index) => {
    const before = observations[index - 1];
    if (before === undefined || observation.at <= before.at) return null;
    // Show no rate for a decrease: an offset decreases when an operator resets a source, and a checkpoint may decrease
    // after a promotion.
    const grown = observation[figure] - before[figure];
    return grown < 0 ? null : (grown * 1_000) / (observation.at - before.at);
  });
}

/** A value's mean growth per second in the last 30 seconds; null if there are fewer than two observations. */
export function rateNow(observations: readonly Observation[], figure: Exclude<keyof Observation, 'at'>): number | null {
  const last = observations.at(-1);
  const first = last && observations.find(({ at }) => at >= last.at - 30_000);
  if (!first || first === last || last.at <= first.at) return null;
  return Math.max(0, ((last[figure] - first[figure]) * 1_000) / (last.at - first.at));
}
