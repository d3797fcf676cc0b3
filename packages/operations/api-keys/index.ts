import { randomBytes } from 'node:crypto';
import { generateApiKey, hashApiKey } from '@milepost/domain/api-key';
import type { Pool } from '@milepost/postgres';

export interface CreatedApiKey {
  id: string;
  fleet_id: string;
  /** The only time it is known. */
  key: string;
}

export interface ApiKeyEntry {
  id: string;
  fleet_id: string;
  created_at: Date;
  revoked_at: Date | null;
}

/** Makes an API key for a fleet; the database keeps its hash alone. */
export async function createApiKey(pool: Pool, fleetId: string): Promise<CreatedApiKey> {
  const id = `key_${randomBytes(4).toString('hex')}`;
  const key = generateApiKey();
  await pool.query({
    name: 'create-api-key',
    text: 'INSERT INTO access.api_key (api_key_id, fleet_id, key_hash) VALUES ($1, $2, $3)',
    values: [id, fleetId, hashApiKey(key)],
  });
  return { id, fleet_id: fleetId, key };
}

/** Whether a key opens a fleet's reports at this moment. */
export async function isValidApiKey(pool: Pool, key: string, fleetId: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'find-api-key',
    text: 'SELECT FROM access.api_key WHERE key_hash = $1 AND fleet_id = $2 AND revoked_at IS NULL',
    values: [hashApiKey(key), fleetId],
  });
  return rowCount === 1;
}

/** All keys, revoked ones too, in the order of their making. */
export async function listApiKeys(pool: Pool): Promise<ApiKeyEntry[]> {
  const { rows } = await pool.query<ApiKeyEntry>({
    name: 'list-api-keys',
    text: 'SELECT api_key_id AS id, fleet_id, created_at, revoked_at FROM access.api_key ORDER BY created_at, api_key_id',
  });
  return rows;
}

/** Revokes a key, which keeps the time of its first revocation; false when there is no such id. */
export async function revokeApiKey(pool: Pool, id: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'revoke-api-key',
    text: 'UPDATE access.api_key SET revoked_at = coalesce(revoked_at, now()) WHERE api_key_id = $1',
    values: [id],
  });
  return rowCount === 1;
}
