import { randomBytes } from 'node:crypto';
import { generateApiKey, hashApiKey } from '@milepost/domain/api-key';
import { type Pool, ROLES } from '@milepost/postgres';
import Type, { type Static } from 'typebox';
import { operation } from '../operation.ts';
import { KeyFleetId, KeyId } from './api-key.ts';

const CreatedKey = Type.Object({
  id: KeyId,
  fleet_id: KeyFleetId,
  key: Type.String({ description: 'The only time it is known: the database keeps its hash alone.' }),
});

/** Makes an API key for a fleet; the database keeps its hash alone. */
export async function createApiKey(pool: Pool, fleetId: string): Promise<Static<typeof CreatedKey>> {
  const id = `key_${randomBytes(4).toString('hex')}`;
  const key = generateApiKey();
  await pool.query({
    name: 'create-api-key',
    text: 'INSERT INTO access.api_key (api_key_id, fleet_id, key_hash) VALUES ($1, $2, $3)',
    values: [id, fleetId, hashApiKey(key)],
  });
  return { id, fleet_id: fleetId, key };
}

export const createKey = operation({
  name: 'keys.create',
  method: 'POST',
  path: '/keys',
  tag: 'Keys',
  summary: 'Create an API key',
  description: 'The answer is the only time that the key is shown: the database keeps its hash alone.',
  input: Type.Object({ fleet_id: KeyFleetId }),
  answer: CreatedKey,
  statuses: [[201, 'The key is made.']],
  change: 'recorded',
  secret: true,
  async run({ pool }, { fleet_id }) {
    const created = await createApiKey(pool(ROLES.operator), fleet_id);
    return { answer: created, detail: created.id };
  },
});
