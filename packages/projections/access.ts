import { execute, type Pool, query, statement, text } from '@milepost/postgres';
import { READ_TABLES } from './read-tables.ts';

const FIND_FLEET = statement('find-fleet-of-key', { fleet_id: text })`
  SELECT fleet_id FROM read.api_key WHERE key_hash = $1`;

/** The fleet that an API key (given by its SHA-256 hash) belongs to; null for an unknown or revoked key. */
export async function findFleetOfKey(pool: Pool, keyHash: Buffer): Promise<string | null> {
  const rows = await query(pool, FIND_FLEET, [keyHash]);
  return rows[0]?.fleet_id ?? null;
}

const CHECK_READ_TABLES = statement('check-read-tables', { looks: text })`
  SELECT concat(${READ_TABLES.map((name) => `(SELECT 1 FROM read.${name} LIMIT 1)`).join(', ')},
    (SELECT lag_seconds FROM read.lag)) AS looks`;

/** Resolves when every read table can be queried; throws what stands in the way. */
export async function checkReadTables(pool: Pool): Promise<void> {
  await execute(pool, CHECK_READ_TABLES);
}
