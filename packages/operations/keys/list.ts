import { ROLES, type Statement } from '@milepost/postgres';
import Type, { type Static } from 'typebox';
import { operation } from '../operation.ts';
import { nullable, Time } from '../schemas.ts';
import { KeyFleetId, KeyId } from './api-key.ts';

const Key = Type.Object({ id: KeyId, fleet_id: KeyFleetId, created_at: Time, revoked_at: nullable(Time) });

const LIST_API_KEYS: Statement = {
  name: 'list-api-keys',
  text: 'SELECT api_key_id AS id, fleet_id, created_at, revoked_at FROM access.api_key ORDER BY created_at, api_key_id',
};

export const listKeys = operation({
  name: 'keys.list',
  method: 'GET',
  path: '/keys',
  tag: 'Keys',
  summary: 'List API keys',
  description: 'The keys of all fleets, revoked ones too, in the order of their making.',
  input: Type.Object({}),
  answer: Type.Object({ keys: Type.Array(Key) }),
  async run({ pool }) {
    const { rows: keys } = await pool(ROLES.operator).query<Static<typeof Key>>(LIST_API_KEYS);
    return { answer: { keys } };
  },
});
