import { type Connections, execute, type Pool, query, type RowOf, statement } from '@milepost/postgres';
import { READ_TABLES } from './read-tables.ts';

const FIND_API_KEY = statement('find-valid-key', {
  id: 'text',
  fleetId: 'text',
  /** The lane that holds the fleet's records. */
  lane: 'number!',
  /** This key's own limit in requests per minute. If null, the key shares its fleet's limit. */
  rateLimitPerMinute: 'number?',
})`
  SELECT api_key_id AS id, fleet_id AS "fleetId", lane, rate_limit_per_minute AS "rateLimitPerMinute"
  FROM valid_api_key WHERE key_hash = $1`;

export type ValidKey = RowOf<typeof FIND_API_KEY>;

/** Finds an API key by its SHA-256 hash. Returns null for an unknown, revoked or expired key. */
export async function findValidKey(directory: Pool, keyHash: Buffer): Promise<ValidKey | null> {
  const [key = null] = await query(directory, FIND_API_KEY, [keyHash]);
  return key;
}

/**
 * Most keys need not be written, because the statement skips a key for which another process has already noted the same
 * hour.
 */
const NOTE_KEY_USE = statement('note-key-use')`
  UPDATE api_key_use SET last_used_at = used.at
  FROM unnest($1::bytea[], $2::timestamptz[]) AS used (key_hash, at)
  WHERE api_key_use.key_hash = used.key_hash AND (last_used_at IS NULL OR last_used_at < used.at)`;

/** A use of the API key with this hash. */
export interface KeyUse {
  keyHash: Buffer;
  /** The hour in which the key was used. */
  at: Date;
}

/** Records when keys were used. An earlier time does not replace a later one. */
export async function noteKeyUses(directory: Pool, uses: readonly KeyUse[]): Promise<void> {
  await execute(directory, NOTE_KEY_USE, [uses.map(({ keyHash }) => keyHash), uses.map(({ at }) => at)]);
}

const CHECK_READ_TABLES = statement('check-read-tables', { found: 'text' })`
  SELECT concat(${READ_TABLES.map((name) => `(SELECT 1 FROM ${name} LIMIT 1)`).join(', ')},
    (SELECT lag_seconds FROM applied_lag)) AS found`;

/** Resolves when every read table can be queried; otherwise rejects with the query's error. */
export async function checkReadTables(connections: Connections): Promise<void> {
  await execute(connections, CHECK_READ_TABLES);
}

/** The statement reads no rows. The API therefore stays ready even when requests are waiting for a lock on the keys. */
const CHECK_API_KEYS = statement('check-api-keys', { readable: 'boolean' })`
  SELECT has_table_privilege('valid_api_key', 'SELECT') AS readable`;

/** Resolves when the directory responds and has the table of API keys; otherwise rejects with the query's error. */
export async function checkApiKeys(directory: Pool): Promise<void> {
  await execute(directory, CHECK_API_KEYS);
}
