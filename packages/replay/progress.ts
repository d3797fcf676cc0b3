import type { Pool } from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import { ReplayNotFoundError } from './errors.ts';
import { ENDED_PHASES, inSql, RESTING_PHASES, type Replay } from './replay.ts';
import { REPLAY_COLUMNS, type ReplayRow, toThrottle } from './sql/replays.ts';

/** A replay as operators see it. */
export interface ReplayView extends Replay {
  /** How far it has come, as a position of the log; while it is filled, the share of the work done, of `target`. */
  position: number;
  /** Where it is going: the head as of its start, and once it is filled, where the live generations are. */
  target: number;
  /** Null while nothing is measured. */
  trips_per_second: number | null;
  remaining_seconds: number | null;
  /** From the fastest and the slowest of late: the true value may well lie outside, but not the usual one. */
  remaining_seconds_range: [number, number] | null;
  /** Why an automatic throttle holds back. */
  throttled_by: string | null;
  /** Whether a worker has it in hand at this moment. */
  running: boolean;
  /** Whether what it built, or brought back, is what readers see. */
  live: boolean;
  /** Whether what it made live is live still, and what that replaced is kept. */
  can_be_rolled_back: boolean;
  generations: { projection: string; generation: number; version: number; checkpoint: number }[];
}

interface Row extends ReplayRow {
  trips_per_second: number | null;
  slowest_trips_per_second: number | null;
  fastest_trips_per_second: number | null;
  throttled_by: string | null;
  running: boolean;
  live: boolean;
  can_be_rolled_back: boolean;
  generations: (ReplayView['generations'][number] & { stage: number | null; filled: boolean; done: number })[];
  live_checkpoint: number | null;
}

const READ_REPLAYS = `
  SELECT ${REPLAY_COLUMNS}, trips_per_second, slowest_trips_per_second, fastest_trips_per_second, throttled_by,
    coalesce(lease_expires_at > now(), false) AS running,
    coalesce((SELECT bool_and(own.live) FROM projection.replay_member member
     JOIN projection.generation own USING (projection, generation) WHERE member.replay_id = replay.replay_id), false) AS live,
    coalesce((SELECT bool_and(own.live AND earlier.generation IS NOT NULL) FROM projection.replay_member member
     JOIN projection.generation own USING (projection, generation)
     LEFT JOIN projection.generation earlier ON earlier.projection = member.projection
       AND earlier.generation = member.replaced_generation AND earlier.dropped_at IS NULL
     WHERE member.replay_id = replay.replay_id), false) AS can_be_rolled_back,
    (SELECT min(live.checkpoint) FROM projection.replay_member member
     JOIN projection.generation live ON live.projection = member.projection AND live.live
     WHERE member.replay_id = replay.replay_id) AS live_checkpoint,
    (SELECT json_agg(json_build_object('projection', member.projection, 'generation', member.generation,
       'version', generation.version, 'checkpoint', generation.checkpoint, 'stage', member.stage, 'filled', member.filled,
       'done', coalesce((SELECT sum(events) FILTER (WHERE done) / nullif(sum(events), 0) FROM projection.replay_part part
         WHERE part.replay_id = member.replay_id AND part.projection = member.projection AND part.stage = member.stage), 0)
       ) ORDER BY member.projection)
     FROM projection.replay_member member JOIN projection.generation generation USING (projection, generation)
     WHERE member.replay_id = replay.replay_id) AS generations
  FROM projection.replay replay`;

/** The share of the filling that is done: every pass of every projection counts the same. */
function shareFilled(generations: Row['generations'], projections: readonly Projection[]): number {
  let passes = 0;
  let done = 0;
  for (const { projection: name, stage, filled, done: share } of generations) {
    const stages = projections.find((projection) => projection.name === name)?.fill.stages.length ?? 1;
    passes += stages;
    done += filled ? stages : (stage ?? 0) + share;
  }
  return passes === 0 ? 1 : done / passes;
}

const BEFORE_CATCHING_UP = ['filling', 'indexing'];
const IN_MOTION = ['filling', 'catching_up', 'promoting'];

function toView(row: Row, projections: readonly Projection[]): ReplayView {
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
  const isMeasured = row.running && IN_MOTION.includes(row.phase) && row.halted === null;
  const rate = isMeasured ? row.trips_per_second : null;
  const seconds = (trips_per_second: number) => Math.round((target - position) / trips_per_second);
  return {
    ...rest,
    throttle: toThrottle(throttle),
    position,
    target,
    trips_per_second: rate === null ? null : Math.round(rate),
    remaining_seconds: rate === null || rate <= 0 ? null : seconds(rate),
    remaining_seconds_range:
      rate === null || slowest === null || fastest === null || slowest <= 0
        ? null
        : [seconds(fastest), seconds(slowest)],
    throttled_by: isMeasured ? row.throttled_by : null,
    generations: row.generations.map(({ projection, generation, version, checkpoint }) => ({
      projection,
      generation,
      version,
      checkpoint,
    })),
  };
}

/** The newest replays, newest first; only those with smaller ids than `before`, where it is given. */
export async function listReplays(
  pool: Pool,
  projections: readonly Projection[],
  limit: number,
  before?: number,
): Promise<ReplayView[]> {
  const { rows } = await pool.query<Row>({
    name: 'list-replays',
    text: `${READ_REPLAYS} WHERE replay_id < coalesce($2, 9223372036854775807) ORDER BY replay_id DESC LIMIT $1`,
    values: [limit, before ?? null],
  });
  return rows.map((row) => toView(row, projections));
}

/** The replays that are not at their end, newest first: at most one for each projection. */
export async function listOpenReplays(pool: Pool, projections: readonly Projection[]): Promise<ReplayView[]> {
  const { rows } = await pool.query<Row>({
    name: 'list-open-replays',
    text: `${READ_REPLAYS} WHERE phase NOT IN ${inSql(ENDED_PHASES)} ORDER BY replay_id DESC`,
  });
  return rows.map((row) => toView(row, projections));
}

/** One replay as it stands. Throws ReplayNotFoundError. */
export async function showReplay(pool: Pool, projections: readonly Projection[], id: number): Promise<ReplayView> {
  const { rows } = await pool.query<Row>({
    name: 'show-replay',
    text: `${READ_REPLAYS} WHERE replay_id = $1`,
    values: [id],
  });
  const [row] = rows;
  if (!row) throw new ReplayNotFoundError(id);
  return toView(row, projections);
}

/** The replays that have something to do and that nobody has in hand, oldest first. */
export async function findRunnable(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>({
    name: 'find-runnable-replays',
    text: `SELECT replay_id AS id FROM projection.replay
           WHERE halted IS NULL AND phase NOT IN ${inSql(RESTING_PHASES)}
             AND (lease_expires_at IS NULL OR lease_expires_at < now()) ORDER BY 1`,
  });
  return rows.map((row) => row.id);
}
