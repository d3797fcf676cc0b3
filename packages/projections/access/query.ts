import type { Pool, Statement } from '@milepost/postgres';

const FIND_FLEET: Statement = {
  name: 'find-fleet-of-key',
  text: 'SELECT fleet_id FROM read.api_key WHERE key_hash = $1',
};

/** The fleet that an API key (given by its SHA-256 hash) belongs to; null for an unknown or revoked key. */
export async function findFleetOfKey(pool: Pool, keyHash: Buffer): Promise<string | null> {
  const { rows } = await pool.query<{ fleet_id: string }>({ ...FIND_FLEET, values: [keyHash] });
  return rows[0]?.fleet_id ?? null;
}

/** Resolves when every read table can be queried; throws what stands in the way. */
export async function checkReadTables(pool: Pool): Promise<void> {
  await pool.query({
    name: 'check-read-tables',
    text: `SELECT (SELECT 1 FROM read.drivers LIMIT 1), (SELECT 1 FROM read.trips LIMIT 1),
             (SELECT 1 FROM read.trail_paths LIMIT 1), (SELECT 1 FROM read.trip_events LIMIT 1),
             (SELECT 1 FROM read.weekly_rollups LIMIT 1), (SELECT 1 FROM read.daily_rollups LIMIT 1),
             (SELECT 1 FROM read.fleets LIMIT 1), (SELECT lag_seconds FROM read.lag)`,
  });
}
