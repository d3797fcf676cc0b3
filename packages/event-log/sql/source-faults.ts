import type { Pool, Statement } from '@milepost/postgres';
import type { SourceClaim } from './claim-source.ts';

/** A source that stands still does so since it stopped, whatever else is found out about it. */
const MARK_FAULT: Statement = {
  name: 'mark-source-fault',
  text: `UPDATE log.source
         SET fault = $3, fault_at = CASE WHEN fault IS NULL OR stopped < $4 THEN now() ELSE fault_at END, stopped = $4
         FROM unnest($1::integer[], $2::bigint[]) AS claim (source_id, epoch)
         WHERE source.source_id = claim.source_id AND source.epoch = claim.epoch AND (NOT stopped OR $4)`,
};

const CLEAR_FAULT: Statement = {
  name: 'clear-source-fault',
  text: `UPDATE log.source SET fault = NULL, fault_at = NULL, stopped = false
         WHERE source_id = $1 AND epoch = $2 AND fault IS NOT NULL`,
};

const LIST_STOPPED: Statement = {
  name: 'list-stopped-sources',
  text: 'SELECT topic, partition FROM log.source WHERE stopped',
};

/**
 * Notes for everybody to see why nothing comes from sources, for as long as the claims hold.
 *
 * @param stopped whether they stand still until an operator settles it; otherwise the next append ends the fault
 */
export async function markSourceFault(
  pool: Pool,
  claims: readonly SourceClaim[],
  fault: string,
  stopped: boolean,
): Promise<void> {
  const values = [claims.map(({ sourceId }) => sourceId), claims.map(({ epoch }) => epoch), fault, stopped];
  await pool.query({ ...MARK_FAULT, values });
}

/** Takes back what was noted of a source, as long as the claim holds. */
export async function clearSourceFault(pool: Pool, { sourceId, epoch }: SourceClaim): Promise<void> {
  await pool.query({ ...CLEAR_FAULT, values: [sourceId, epoch] });
}

/** The sources that stand still until an operator settles it. */
export async function listStoppedSources(pool: Pool): Promise<{ topic: string; partition: number }[]> {
  const { rows } = await pool.query<{ topic: string; partition: number }>(LIST_STOPPED);
  return rows;
}
