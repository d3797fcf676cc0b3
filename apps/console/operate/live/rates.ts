import type { Status } from '../requests.ts';

/** The figures of a status that charts are drawn from. */
export interface Observation {
  /** When it came, in epoch milliseconds. */
  at: number;
  head_position: number;
  /** Of all sources together. */
  next_offsets: number;
  /** The least of all projections. */
  checkpoint: number;
  lag_seconds: number;
  dead_letters: number;
}

const KEPT_MILLISECONDS = 5 * 60_000;

export function observationOf(status: Status, at: number): Observation {
  const { head_position, dead_letters, projections, sources } = status;
  return {
    at,
    head_position,
    next_offsets: sources.reduce((sum, { next_offset }) => sum + next_offset, 0),
    checkpoint: Math.min(head_position, ...projections.map(({ checkpoint }) => checkpoint)),
    lag_seconds: Math.max(0, ...projections.map(({ lag_seconds }) => lag_seconds)),
    dead_letters,
  };
}

/** The observations of the last five minutes and a new one. */
export function withObservation(before: readonly Observation[], observation: Observation): Observation[] {
  return [...before.filter(({ at }) => at > observation.at - KEPT_MILLISECONDS), observation];
}

/** How fast a figure grows from one observation to the next, per second; null at the first, and where it fell. */
export function ratesOf(
  observations: readonly Observation[],
  figure: Exclude<keyof Observation, 'at'>,
): (number | null)[] {
  return observations.map((observation, index) => {
    const before = observations[index - 1];
    if (before === undefined || observation.at <= before.at) return null;
    // Offsets fall when an operator has a source begin anew, and a replay's checkpoint may be behind: neither is a rate.
    const grown = observation[figure] - before[figure];
    return grown < 0 ? null : (grown * 1_000) / (observation.at - before.at);
  });
}

/** The mean rate of a figure over the last half minute; null before there are two observations. */
export function rateNow(observations: readonly Observation[], figure: Exclude<keyof Observation, 'at'>): number | null {
  const last = observations.at(-1);
  const first = last && observations.find(({ at }) => at >= last.at - 30_000);
  if (!first || first === last || last.at <= first.at) return null;
  return Math.max(0, ((last[figure] - first[figure]) * 1_000) / (last.at - first.at));
}
