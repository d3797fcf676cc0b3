import type { Pool, Statement } from '@milepost/postgres';
import type { SourceClaim } from './claim-source.ts';

/** Passes over sources that an append has locked: waiting for several, the two could wait for each other. */
const HOLD_SOURCES: Statement = {
  name: 'hold-sources',
  text: `UPDATE log.source SET held_at = now() FROM (
           SELECT source_id FROM log.source JOIN unnest($1::integer[], $2::bigint[]) AS claim (source_id, epoch)
             USING (source_id, epoch) FOR UPDATE OF source SKIP LOCKED) held
         WHERE source.source_id = held.source_id`,
};

/** Says that whoever has these claims is at work, of those that still hold. Whoever says so for a minute no more is missing. */
export async function holdSources(pool: Pool, claims: readonly SourceClaim[]): Promise<void> {
  const values = [claims.map(({ sourceId }) => sourceId), claims.map(({ epoch }) => epoch)];
  await pool.query({ ...HOLD_SOURCES, values });
}
