import { hashApiKey } from '@milepost/domain/api-key';
import type { Pool } from '@milepost/postgres';
import Type from 'typebox';
import { FleetId } from '../schemas.ts';

export const KeyFleetId = FleetId('the fleet whose reports the key opens');

export const KeyId = Type.String({ description: 'Names the key; it is not the key itself.' });

/** Whether a key opens a fleet's reports at this moment. */
export async function isValidApiKey(pool: Pool, key: string, fleetId: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'find-api-key',
    text: 'SELECT FROM access.api_key WHERE key_hash = $1 AND fleet_id = $2 AND revoked_at IS NULL',
    values: [hashApiKey(key), fleetId],
  });
  return rowCount === 1;
}
