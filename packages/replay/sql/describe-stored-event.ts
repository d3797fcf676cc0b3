import type { Pool } from '@milepost/postgres';

/** Which stored event is at a position, in words: its place in the source, and what it is about. */
export async function describeStoredEvent(pool: Pool, position: number): Promise<string> {
  const { rows } = await pool.query<{ description: string }>({
    name: 'describe-stored-event',
    text: `SELECT concat_ws(', ', 'fleet ' || fleet_id, 'driver ' || driver_id, 'trip ' || replace(trip_id::text, '-', ''),
             'revision ' || revision, 'from ' || topic || '/' || partition || ' offset ' || source_offset) AS description
           FROM log.stored_event LEFT JOIN log.source USING (source_id) WHERE position = $1`,
    values: [position],
  });
  return rows[0]?.description ?? 'which is not in the log';
}
