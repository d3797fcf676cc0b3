import type { Pool } from '@milepost/postgres';
import { type Projection, viewOf } from '@milepost/projections/engine';
import type { Strain } from '../throttle/automatic.ts';

const ROWS_READ = 50;

/**
 * How readers and the live projections fare at this moment. The read is timed by the server, from when it takes up the
 * statement: our own process is busy with the replay, and would measure itself. Live generations that nobody advances,
 * because they belong to another version or stand still, do not count: the replay may be what mends them.
 */
export async function observeStrain(pool: Pool, projections: readonly Projection[]): Promise<Strain> {
  const reads = projections.map(
    ({ name }) => `(SELECT count(*) FROM (SELECT FROM ${viewOf(name)} LIMIT ${ROWS_READ}) some_rows)`,
  );
  const { rows } = await pool.query<Strain>({
    text: `SELECT extract(epoch FROM clock_timestamp() - statement_timestamp())::float8 * 1000 AS read_milliseconds, live_lag_seconds
           FROM (SELECT ${reads.join(' + ')} AS rows_read,
             (SELECT coalesce(max(greatest(extract(epoch FROM now() - next.stored_at), 0)), 0)::float8
              FROM projection.generation live JOIN log.stored_event next ON next.position = checkpoint + 1
              JOIN unnest($1::text[], $2::integer[]) AS present (projection, version) USING (projection, version)
              WHERE live.live AND live.failure IS NULL) AS live_lag_seconds
             OFFSET 0) looked WHERE rows_read >= 0`,
    values: [projections.map(({ name }) => name), projections.map(({ version }) => version)],
  });
  return rows[0] ?? { read_milliseconds: 0, live_lag_seconds: 0 };
}
