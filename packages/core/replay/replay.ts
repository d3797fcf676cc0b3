import { column, columns, type Pool, query, type RowOf, statement } from '@milepost/postgres';
import type { Verification } from './verification.ts';

/** A replay's phases. In the phase `waiting`, the replay waits for an operator. */
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

/** Final phases, after which the projections are free for the next replay. */
export const ENDED_PHASES: readonly Phase[] = ['promoted', 'cancelled', 'dropped'];
/** Phases in which workers leave the replay alone until an operator makes a request. */
export const RESTING_PHASES: readonly Phase[] = ['waiting', ...ENDED_PHASES];

/** Returns phases as an SQL list. */
export function inSql(phases: readonly Phase[]): string {
  return `(${phases.map((phase) => `'${phase}'`).join(', ')})`;
}

/**
 * A limit in trips per second. `auto` makes a replay as fast as readers and the live projections allow. `off` means no
 * limit.
 */
export type Throttle = number | 'auto' | 'off';

/** The columns of a replay, with the throttle as text. */
export const REPLAY = {
  id: 'number',
  kind: column<'build' | 'roll_back'>('text'),
  /** The name of a projection, several names separated by commas, or `all`, as requested. */
  projection: 'text',
  phase: column<Phase>('text'),
  halted: column<'paused' | 'failed'>('text?'),
  /** Why the replay failed, or why its promotion was refused. */
  error: 'text?',
  /** The log position that the filled generations reflect; the highest position if they differ. */
  target: 'number',
  /** Rows for days before this day (`YYYY-MM-DD`) are not kept. If null, all rows are kept. */
  cutoff: 'date?',
  ...columns('boolean', 'promote', 'accept_differences'),
  throttle: 'text',
  verification: column<Verification>('json?'),
  requested_by: 'text',
  created_at: 'timestamp',
  finished_at: 'timestamp?',
} as const;

/** SQL expressions for the columns of `REPLAY`. */
export const REPLAY_COLUMNS = Object.keys(REPLAY).join(', ').replace('id', 'replay_id AS id');

const FIND_REPLAY = statement('find-replay', {
  ...REPLAY,
  /** Counts the claims. A worker's claim ends when another worker increases the epoch. */
  epoch: 'number',
})`
  SELECT ${REPLAY_COLUMNS}, epoch FROM replay WHERE replay_id = $1`;

/** A replay as it is stored. */
export type Replay = Omit<RowOf<typeof FIND_REPLAY>, 'throttle'> & { throttle: Throttle };

/** Parses a stored throttle: `off`, `auto` or a number of trips per second. */
export function toThrottle(text: string): Throttle {
  return text === 'off' || text === 'auto' ? text : Number(text);
}

/** Reads one replay; null when there is none with this id. */
export async function findReplay(pool: Pool, id: number): Promise<Replay | null> {
  const [row] = await query(pool, FIND_REPLAY, [id]);
  return row ? { ...row, throttle: toThrottle(row.throttle) } : null;
}

/** A request for a replay. */
export interface StartRequest {
  /** The name of a projection, several names separated by commas, or `all`. The projections are promoted together. */
  projection: string;
  /** Whether to promote after the verification, if the verification does not find anything unexpected. */
  promote: boolean;
  acceptDifferences?: boolean;
  throttle: Throttle;
  /** Rows for days before this day (`YYYY-MM-DD`) are omitted. If null, the live generation's cutoff applies. */
  cutoff?: string | null;
  requestedBy: string;
}
