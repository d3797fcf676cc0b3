import type { Pool } from '@milepost/postgres';
import { type Projection, viewOf } from '@milepost/projections/engine';

/** Replays whose replaced generations, kept for a roll back, have been out of use for so many days. */
export async function findExpired(pool: Pool, days: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>({
    name: 'find-expired-replays',
    text: `SELECT DISTINCT member.replay_id AS id FROM projection.replay_member member
           JOIN projection.replay replay USING (replay_id)
           JOIN projection.generation replaced
             ON replaced.projection = member.projection AND replaced.generation = member.replaced_generation
           WHERE replay.phase = 'promoted' AND NOT replaced.live AND replaced.dropped_at IS NULL
             AND replaced.retired_at < now() - make_interval(days => $1) ORDER BY 1`,
    values: [days],
  });
  return rows.map((row) => row.id);
}

/**
 * Whether the live read table has rows of days before a horizon (`YYYY-MM-DD`) and was not built for it, or for one less
 * than four weeks earlier: trips that come late must not cause a replay each.
 */
export async function hasRowsBefore(pool: Pool, projection: Projection, horizon: string): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM (${projection.rows(viewOf(projection.name))}) row WHERE day < $1::date)
       AND NOT EXISTS (SELECT FROM projection.generation WHERE projection = $2 AND live AND horizon > $1::date - 28) AS found`,
    [horizon, projection.name],
  );
  return rows[0]?.found ?? false;
}
