import type { Pool, Statement } from '@milepost/postgres';

/** A build of a projection's read table that has not been dropped. */
export interface GenerationState {
  generation: number;
  version: number;
  /** `retired`: live once, and kept for a roll back. `building`: a replay works on it, or waits for its promotion. */
  state: 'live' | 'building' | 'retired';
  checkpoint: number;
  lag_events: number;
  /** Rows of earlier days are not kept (`YYYY-MM-DD`); null: all are. */
  horizon: string | null;
  created_at: Date;
  retired_at: Date | null;
  /** The replay that is at work on it, or waits with it. */
  replay_id: number | null;
  failed_position: number | null;
  failure: string | null;
}

export interface ProjectionState {
  name: string;
  /** The newest first. */
  generations: GenerationState[];
}

const LIST_GENERATIONS: Statement = {
  name: 'list-generations',
  text: `SELECT generation.projection, generation.generation, version,
           CASE WHEN live THEN 'live' WHEN retired_at IS NULL THEN 'building' ELSE 'retired' END AS state,
           checkpoint, head.position - checkpoint AS lag_events, horizon::text, created_at, retired_at,
           member.replay_id, failed_position, failure
         FROM projection.generation CROSS JOIN log.head
         LEFT JOIN projection.replay_member member
           ON member.projection = generation.projection AND member.generation = generation.generation AND member.active
         WHERE dropped_at IS NULL ORDER BY generation.projection, generation.generation DESC`,
};

/** All projections with their generations, by name. `pool` acts in the operator's role. */
export async function listProjections(pool: Pool): Promise<ProjectionState[]> {
  const { rows } = await pool.query<GenerationState & { projection: string }>(LIST_GENERATIONS);
  const byName = Map.groupBy(rows, (row) => row.projection);
  return [...byName].map(([name, generations]) => ({
    name,
    generations: generations.map(({ projection: _, ...generation }) => generation),
  }));
}
