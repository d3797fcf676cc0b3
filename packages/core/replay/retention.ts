import { type Pool, query, statement, unprepared } from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';

const FIND_EXPIRED_REPLAYS = statement('find-expired-replays', { id: 'number' })`
  SELECT DISTINCT member.replay_id AS id FROM replay_member member
  JOIN replay replay USING (replay_id)
  JOIN generation replaced
    ON replaced.projection = member.projection AND replaced.generation = member.replaced_generation
  WHERE replay.phase = 'promoted' AND NOT replaced.live AND replaced.dropped_at IS NULL
    AND replaced.retired_at < now() - make_interval(days => $1) ORDER BY 1`;

/** Returns the replays whose replaced generations have been kept for more than `days` days. */
export async function findExpired(pool: Pool, days: number): Promise<number[]> {
  const rows = await query(pool, FIND_EXPIRED_REPLAYS, [days]);
  return rows.map((row) => row.id);
}

/**
 * Whether the live read table contains rows for days before a cutoff (`YYYY-MM-DD`). If the table's own cutoff is less
 * than four weeks before this cutoff, the result is false, because otherwise each late trip could cause a replay.
 */
export async function hasRowsBefore(pool: Pool, projection: Projection, cutoff: string): Promise<boolean> {
  const [row] = await unprepared(
    pool,
    { found: 'boolean' },
    `SELECT EXISTS (SELECT FROM (${projection.rows(projection.name)}) row WHERE day < $1::date)
       AND NOT EXISTS (SELECT FROM generation WHERE projection = $2 AND live AND cutoff > $1::date - 28) AS found`,
    [cutoff, projection.name],
  );
  return row?.found ?? false;
}

const FIND_OUTDATED_GENERATIONS = statement('find-outdated-generations', { name: 'text' })`
  SELECT live.projection AS name FROM generation live
  JOIN unnest($1::text[], $2::integer[]) AS present (projection, version) USING (projection)
  WHERE live.live AND live.version < present.version ORDER BY 1`;

/** Returns the projections that this program cannot advance, because their live generations have an earlier version. */
export async function findOutdated(pool: Pool, projections: readonly Projection[]): Promise<string[]> {
  const rows = await query(pool, FIND_OUTDATED_GENERATIONS, [
    projections.map(({ name }) => name),
    projections.map(({ version }) => version),
  ]);
  return rows.map((row) => row.name);
}
