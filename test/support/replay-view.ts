import type { ReplayView } from '../../apps/cli/replay/view.ts';

/** Returns a replay as the command line reads it: in the phase `filling`, unless `overrides` contains other values. */
export function exampleView(overrides: Partial<ReplayView> = {}): ReplayView {
  return {
    id: 7,
    lane: 0,
    kind: 'build',
    projection: 'all',
    phase: 'filling',
    halted: null,
    error: null,
    position: 12_345,
    target: 30_000,
    cutoff: null,
    promote: false,
    accept_differences: false,
    throttle: 'auto',
    verification: null,
    requested_by: 'jane',
    created_at: '2025-01-31T08:00:00.000Z',
    finished_at: null,
    trips_per_second: 21_000,
    remaining_seconds: 125,
    remaining_seconds_range: [110, 240],
    throttled_by: null,
    running: true,
    live: false,
    can_be_rolled_back: false,
    next: [],
    generations: [
      { projection: 'drivers', generation: 2, version: 1, checkpoint: 0 },
      { projection: 'trips', generation: 3, version: 2, checkpoint: 0 },
    ],
    ...overrides,
  };
}

/** Returns a verification without tables. */
export function exampleVerification(differences: number, expected: boolean): NonNullable<ReplayView['verification']> {
  return {
    position: 30_000,
    compared_at: '2025-01-31T08:05:00.000Z',
    cutoff: null,
    equal: differences === 0,
    expected,
    differences,
    tables: [],
  };
}

/** Returns a response's field `next` with the action `replay.VERB` for each verb. */
export function exampleNext(...verbs: string[]): ReplayView['next'] {
  return verbs.map((verb) => ({ operation: `replay.${verb}`, input: { id: 7 } }));
}
