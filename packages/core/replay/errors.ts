import type { Phase, Replay } from './replay.ts';

/** The reason for refusing a request: a code with data. */
export type ReplayRefusal =
  | { code: 'unknown_projection'; name: string; known: readonly string[] }
  | { code: 'no_read_table'; projection: string }
  /** Another replay of one of the projections is running or is waiting to be promoted. */
  | { code: 'in_the_way'; id: number; projection: string; phase: Phase; wanted: Replay['kind'] }
  | { code: 'ended'; id: number; phase: Phase; action: string }
  | { code: 'waits_for_promotion' | 'under_way' | 'cancelled'; id: number }
  | { code: 'unexplained_differences'; id: number; differences: number }
  | { code: 'no_earlier_generation'; projection: string }
  | { code: 'earlier_version'; projection: string; generation: number; version: number; releaseVersion: number }
  | { code: 'promoted_apart'; promotions: readonly { id: number; projections: readonly string[] }[] };

/** A request for a replay was refused, and nothing has changed. */
export class ReplayRefusedError extends Error {
  override name = 'ReplayRefusedError';
  readonly refusal: ReplayRefusal;

  constructor(refusal: ReplayRefusal) {
    super(`The replay is refused: ${JSON.stringify(refusal)}`);
    this.refusal = refusal;
  }
}

/** There is no replay with this id. */
export class ReplayNotFoundError extends Error {
  override name = 'ReplayNotFoundError';

  readonly id: number;

  constructor(id: number) {
    super(`There is no replay ${id}.`);
    this.id = id;
  }
}

/**
 * Another worker has claimed the replay, or the operator has changed its phase, so the running step must not take
 * effect.
 */
export class ReplayTakenError extends Error {
  override name = 'ReplayTakenError';

  constructor(id: number) {
    super(`Another worker has claimed replay ${id}, or an operator has changed it.`);
  }
}
