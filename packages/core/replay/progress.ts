import { column, columns, type Pool, query, type RowOf, statement } from '@milepost/postgres';
import type { Generation, Projection } from '@milepost/projections/engine';
import { ReplayNotFoundError } from './errors.ts';
import { ENDED_PHASES, inSql, REPLAY, REPLAY_COLUMNS, RESTING_PHASES, toThrottle } from './replay.ts';

/** The progress of a generation's fill. `done` is the completed fraction of its stage. */
interface Filled {
  filled_with: string | null;
  stage: number | null;
  filled: boolean;
  done: number;
}

const VIEWED = {
  ...REPLAY,
  ...columns('number?', 'trips_per_second', 'slowest_trips_per_second', 'fastest_trips_per_second'),
  throttled_by: 'text?',
  /**
   * `running` says whether a worker has leased the replay, and `live` whether readers see the generations that the
   * replay built or restored.
   */
  ...columns('boolean', 'running', 'live', 'can_be_rolled_back'),
  live_checkpoint: 'number?',
  generations: column<(Generation & Filled)[]>('json'),
} as const;
type Row = RowOf<typeof VIEWED>;

const READ_REPLAYS = `
  SELECT ${REPLAY_COLUMNS}, trips_per_second, slowest_trips_per_second, fastest_trips_per_second, throttled_by,
    coalesce(lease_expires_at > now(), false) AS running,
    coalesce((SELECT bool_and(own.live) FROM replay_member member
     JOIN generation own USING (projection, generation) WHERE member.replay_id = replay.replay_id), false) AS live,
    coalesce((SELECT bool_and(own.live AND earlier.generation IS NOT NULL) FROM replay_member member
     JOIN generation own USING (projection, generation)
     LEFT JOIN generation earlier ON earlier.projection = member.projection
       AND earlier.generation = member.replaced_generation AND earlier.dropped_at IS NULL
     WHERE member.replay_id = replay.replay_id), false) AS can_be_rolled_back,
    (SELECT min(live.checkpoint) FROM replay_member member
     JOIN generation live ON live.projection = member.projection AND live.live
     WHERE member.replay_id = replay.replay_id) AS live_checkpoint,
    (SELECT json_agg(json_build_object('projection', member.projection, 'generation', member.generation,
       'version', generation.version, 'checkpoint', generation.checkpoint, 'filled_with', member.filled_with, 'stage', member.stage, 'filled', member.filled,
       'done', coalesce((SELECT sum(events) FILTER (WHERE done) / nullif(sum(events), 0) FROM replay_chunk chunk
         WHERE chunk.replay_id = member.replay_id AND chunk.projection = member.projection AND chunk.stage = member.stage), 0)
       ) ORDER BY member.projection)
     FROM replay_member member JOIN generation generation USING (projection, generation)
     WHERE member.replay_id = replay.replay_id) AS generations
  FROM replay replay`;

/** Returns the completed fraction of the fills. Each pass in each fill has the same weight. */
function shareFilled(generations: Row['generations'], projections: readonly Projection[]): number {
  let passes = 0;
  let done = 0;
  for (const { projection: name, filled_with, stage, filled, done: share } of generations) {
    if (filled_with !== null) continue;
    const stages = projections.find((projection) => projection.name === name)?.fill.stages.length ?? 1;
    passes += stages;
    done += filled ? stages : (stage ?? 0) + share;
  }
  return passes === 0 ? 1 : done / passes;
}

const BEFORE_CATCHING_UP = ['filling', 'indexing'];
const MEASURED_PHASES = ['filling', 'catching_up', 'promoting'];

type ReplayControl = 'pause' | 'resume' | 'throttle' | 'promote' | 'cancel' | 'roll_back' | 'drop';

type State = Pick<Row, 'phase' | 'halted' | 'promote' | 'live' | 'can_be_rolled_back'>;

/** Returns the controls that apply to a replay in this state, the most likely first. Exported for tests. */
export function nextControls({ phase, halted, promote, live, can_be_rolled_back }: State): ReplayControl[] {
  switch (phase) {
    case 'waiting':
      return ['promote', 'drop'];
    case 'promoted':
      if (can_be_rolled_back) return ['roll_back', 'drop'];
      // A live replay that did not replace a generation has nothing to drop.
      return live ? [] : ['drop'];
    case 'cancelled':
    case 'dropped':
      return [];
    case 'cancelling':
    case 'dropping':
      return halted === null ? [] : ['resume'];
    default:
      if (halted !== null) return ['resume', 'throttle', 'cancel'];
      return ['pause', 'throttle', ...(promote ? [] : (['promote'] as const)), 'cancel'];
  }
}

/**
 * Returns a replay with its progress. `target` is the position of the live generations. Until the fill ends, it is
 * their position at the start of the replay; afterwards, it is their current one. During the fill, `position` is
 * computed from how much work has been done. The rate and the remaining time are null until a rate has been measured.
 */
function toView(row: Row, projections: readonly Projection[]) {
  const {
    slowest_trips_per_second: slowest,
    fastest_trips_per_second: fastest,
    live_checkpoint,
    throttle,
    ...rest
  } = row;
  const isFilling = BEFORE_CATCHING_UP.includes(row.phase);
  const position = isFilling
    ? Math.floor(row.target * shareFilled(row.generations, projections))
    : Math.min(...row.generations.map(({ checkpoint }) => checkpoint));
  const target = isFilling ? row.target : Math.max(position, live_checkpoint ?? 0);
  const isMeasured = row.running && MEASURED_PHASES.includes(row.phase) && row.halted === null;
  const rate = isMeasured ? row.trips_per_second : null;
  const seconds = (trips_per_second: number) => Math.round((target - position) / trips_per_second);
  /** The remaining time at the fastest and at the slowest recent rate. */
  const range: [number, number] | null =
    rate === null || slowest === null || fastest === null || slowest <= 0 ? null : [seconds(fastest), seconds(slowest)];
  return {
    ...rest,
    throttle: toThrottle(throttle),
    position,
    target,
    trips_per_second: rate === null ? null : Math.round(rate),
    remaining_seconds: rate === null || rate <= 0 ? null : seconds(rate),
    remaining_seconds_range: range,
    throttled_by: isMeasured ? row.throttled_by : null,
    generations: row.generations.map(({ projection, generation, version, checkpoint }) => ({
      projection,
      generation,
      version,
      checkpoint,
    })),
    next: nextControls(row),
  };
}

export type ReplayView = ReturnType<typeof toView>;

const LIST_REPLAYS = statement('list-replays', VIEWED)`
  ${READ_REPLAYS} WHERE replay_id < coalesce($2, 9223372036854775807) ORDER BY replay_id DESC LIMIT $1`;

/** Reads the latest replays, newest first. With `before`, reads only replays with smaller ids. */
export async function listReplays(
  pool: Pool,
  projections: readonly Projection[],
  limit: number,
  before?: number,
): Promise<ReplayView[]> {
  const rows = await query(pool, LIST_REPLAYS, [limit, before ?? null]);
  return rows.map((row) => toView(row, projections));
}

const LIST_OPEN_REPLAYS = statement('list-open-replays', VIEWED)`
  ${READ_REPLAYS} WHERE phase NOT IN ${inSql(ENDED_PHASES)} ORDER BY replay_id DESC`;

/** Reads the replays that have not ended, newest first. Each projection has at most one such replay. */
export async function listOpenReplays(pool: Pool, projections: readonly Projection[]): Promise<ReplayView[]> {
  const rows = await query(pool, LIST_OPEN_REPLAYS);
  return rows.map((row) => toView(row, projections));
}

const SHOW_REPLAY = statement('show-replay', VIEWED)`${READ_REPLAYS} WHERE replay_id = $1`;

/** Reads one replay. Throws ReplayNotFoundError. */
export async function showReplay(pool: Pool, projections: readonly Projection[], id: number): Promise<ReplayView> {
  const [row] = await query(pool, SHOW_REPLAY, [id]);
  if (!row) throw new ReplayNotFoundError(id);
  return toView(row, projections);
}

const FIND_RUNNABLE_REPLAYS = statement('find-runnable-replays', { id: 'number' })`
  SELECT replay_id AS id FROM replay
  WHERE halted IS NULL AND phase NOT IN ${inSql(RESTING_PHASES)}
    AND (lease_expires_at IS NULL OR lease_expires_at < now()) ORDER BY 1`;

/** Returns the runnable replays that no worker has leased, oldest first. */
export async function findRunnable(pool: Pool): Promise<number[]> {
  const rows = await query(pool, FIND_RUNNABLE_REPLAYS);
  return rows.map((row) => row.id);
}
