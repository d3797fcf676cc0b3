import type { ListedReplay as Listed, ReplayResource } from '@milepost/operations/replay-schemas';
import { type Phase, RESTING_PHASES } from '@milepost/replay';
import type { Static } from 'typebox';
import type { Json } from '../client/client.ts';

/** A replay as returned by the operation. */
export type ReplayView = Json<Static<typeof ReplayResource>>;
export type Verification = NonNullable<ReplayView['verification']>;
export type TableVerification = Verification['tables'][number];

/** A replay in a list, with only a summary of its verification. */
export type ListedReplay = Json<Static<typeof Listed>>;

/** Returns a replay as JSON for programs. The fields that scripts need most come first. */
export function viewJson(view: ListedReplay): object {
  const { id, projection, phase, throttle, verification, error, ...others } = view;
  const { position, target, trips_per_second, remaining_seconds, ...more } = others;
  const progress = { position, target, trips_per_second, remaining_seconds };
  return { id, projection, phase, ...progress, throttle, verification, error, ...more };
}

/** Whether a replay's state stays the same until an operator acts. */
export function isAtRest({ phase, halted }: Pick<ReplayView, 'phase' | 'halted'>): boolean {
  return halted !== null || RESTING_PHASES.includes(phase);
}

/** For each goal of a command with `--wait`, the phases in which the command succeeds. */
const GOALS = {
  built: ['waiting', 'promoted'],
  promoted: ['promoted'],
  cancelled: ['cancelled'],
  /** Dropping a live replay deletes only the generations that it replaced, while the replay itself stays promoted. */
  dropped: ['dropped', 'promoted'],
  ended: ['waiting', 'promoted', 'dropped'],
} as const satisfies Record<string, readonly Phase[]>;
export type Goal = keyof typeof GOALS;

/**
 * Whether a replay that is at rest (see `isAtRest`) has reached a command's goal. A replay that should be promoted but
 * is waiting for an operator has not reached any goal.
 */
export function isReached({ phase, promote }: ReplayView, goal: Goal): boolean {
  const goals: readonly Phase[] = GOALS[goal];
  return goals.includes(phase) && !(phase === 'waiting' && promote);
}
