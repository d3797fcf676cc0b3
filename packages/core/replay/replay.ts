import {
  boolean,
  columns,
  date,
  json,
  nullable,
  number,
  type Pool,
  query,
  type RowOf,
  statement,
  text,
  textOf,
  timestamp,
} from '@milepost/postgres';

/** A replay's phases. In the phase `waiting`, the replay waits for an operator. The last three phases are final. */
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

interface ComparedGeneration {
  generation: number;
  version: number;
  rows: number;
}

export interface TableVerification {
  projection: string;
  live: ComparedGeneration;
  replayed: ComparedGeneration;
  equal: boolean;
  /** Whether the tables are equal, or may differ because their versions are different. */
  expected: boolean;
  /** The number of keys whose rows differ. */
  differences: number;
  differing_day_count: number;
  /** The first days on which rows differ. `day` is null for rows without a day. */
  differing_days: { day: string | null; live_rows: number; replayed_rows: number }[];
  /**
   * Some of the rows that differ, with long values truncated. `live` or `replayed` is null if that side lacks the row.
   */
  samples: { day: string | null; key: string; live: string | null; replayed: string | null }[];
  /** The report of the projection's `describeChanges`. */
  changes: object | null;
}

/** The comparison of the new generations with the live ones at the same position. */
export interface Verification {
  position: number;
  /** RFC 3339. */
  compared_at: string;
  /** Rows for earlier days are not compared, because one side does not keep them. */
  cutoff: string | null;
  equal: boolean;
  /** Whether there are no differences, or only differences explained by a version change. */
  expected: boolean;
  differences: number;
  tables: TableVerification[];
}

/** The columns of a replay, with the throttle as text. */
export const REPLAY = {
  id: number,
  kind: textOf<'build' | 'roll_back'>(),
  /** The name of a projection, several names separated by commas, or `all`, as requested. */
  projection: text,
  phase: textOf<Phase>(),
  halted: nullable(textOf<'paused' | 'failed'>()),
  /** Why the replay failed, or why its promotion was refused. */
  error: nullable(text),
  /** The log position that the filled generations reflect; the highest position if they differ. */
  target: number,
  /** Rows for days before this day (`YYYY-MM-DD`) are not kept. If null, all rows are kept. */
  cutoff: nullable(date),
  ...columns(boolean, 'promote', 'accept_differences'),
  throttle: text,
  verification: nullable(json<Verification>()),
  requested_by: text,
  created_at: timestamp,
  finished_at: nullable(timestamp),
};

/** SQL expressions for the columns of `REPLAY`. */
export const REPLAY_COLUMNS = Object.keys(REPLAY).join(', ').replace('id', 'replay_id AS id');

/** A replay as it is stored. */
export type Replay = Omit<RowOf<typeof REPLAY>, 'throttle'> & { throttle: Throttle };

export type ReplayControl = 'pause' | 'resume' | 'throttle' | 'promote' | 'cancel' | 'roll_back' | 'drop';

/**
 * A replay with its progress. `target` is the position of the live generations: until the fill ends, the position when
 * the replay started; afterwards, the current position.
 */
export interface ReplayView extends Replay {
  /** Whether a worker has leased the replay. */
  running: boolean;
  /** A position in the log. During the fill, the position is computed from how much work has been done. */
  position: number;
  /** This and the next two fields are null until a rate has been measured. */
  trips_per_second: number | null;
  remaining_seconds: number | null;
  /** The remaining time at the fastest and at the slowest recent rate. */
  remaining_seconds_range: [number, number] | null;
  throttled_by: string | null;
  /** Whether readers see the generations that the replay built or restored. */
  live: boolean;
  can_be_rolled_back: boolean;
  generations: { projection: string; generation: number; version: number; checkpoint: number }[];
  /** The controls that currently apply. */
  next: ReplayControl[];
}

const FIND_REPLAY = statement('find-replay', REPLAY)`
  SELECT ${REPLAY_COLUMNS} FROM replay WHERE replay_id = $1`;

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
