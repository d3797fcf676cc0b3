import type { Projection } from '@milepost/projections/engine';
import type { Verification } from './verification.ts';

/** Where a replay is on its way. It waits for the operator in `waiting`; the last four are its ends. */
export const PHASES = [
  'filling',
  'indexing',
  'catching_up',
  'verifying',
  'waiting',
  'promoting',
  'cancelling',
  'dropping',
  'promoted',
  'cancelled',
  'dropped',
] as const;
export type Phase = (typeof PHASES)[number];

/** Phases after which nothing comes: the projections are free for the next replay. */
export const ENDED_PHASES: readonly Phase[] = ['promoted', 'cancelled', 'dropped'];
/** Phases in which nothing happens until somebody asks for it. */
export const RESTING_PHASES: readonly Phase[] = ['waiting', ...ENDED_PHASES];

/** Phases as a list in SQL. */
export function inSql(phases: readonly Phase[]): string {
  return `(${phases.map((phase) => `'${phase}'`).join(', ')})`;
}

/** As fast as it can, as gently as readers and the live projector need, or so many trips a second. */
export type Throttle = 'off' | 'auto' | number;

/** A replay as it is stored. */
export interface Replay {
  id: number;
  /** Builds new generations, or brings earlier ones back. */
  kind: 'build' | 'roll_back';
  /** Projections' names, separated by commas, or `all`. */
  projection: string;
  phase: Phase;
  /** Stands still until resumed. */
  halted: 'paused' | 'failed' | null;
  /** What it failed at, or why it was not promoted. */
  error: string | null;
  /** The position whose state the filled generations show; the highest where they differ. */
  target: number;
  /** Rows of earlier days are not kept (`YYYY-MM-DD`); null: all are. */
  horizon: string | null;
  promote: boolean;
  accept_differences: boolean;
  throttle: Throttle;
  /** Null until verified. */
  verification: Verification | null;
  requested_by: string;
  created_at: Date;
  finished_at: Date | null;
}

/** What somebody asks for. */
export interface StartRequest {
  /** A projection's name, several separated by commas, or `all`. They are promoted together. */
  projection: string;
  /** Promote once verified, if nothing unexpected was found. */
  promote: boolean;
  acceptDifferences?: boolean;
  throttle: Throttle;
  /** Leave out rows of earlier days (`YYYY-MM-DD`); null: what the live generation leaves out. */
  horizon?: string | null;
  requestedBy: string;
}

/** One projection's share in a replay. */
export interface Member {
  projection: Projection;
  generation: number;
  table: string;
  /** The position whose state the filled table shows. */
  target: number;
  /** Rows of earlier days are not kept (`YYYY-MM-DD`); null: all are. */
  horizon: string | null;
}

/** What a step works with. `signal` aborts when the operator wants something else, or somebody else took the replay over. */
export interface StepContext {
  replay: Replay;
  members: readonly Member[];
  epoch: number;
  signal: AbortSignal;
}
