import { ROLES } from '@milepost/postgres';
import Type from 'typebox';
import { listApiKeys } from '../api-keys/index.ts';
import { operation } from '../operation.ts';
import { nullable, Time } from '../schemas.ts';
import { KeyFleetId, KeyId } from './api-key.ts';

export const listKeys = operation({
  name: 'keys.list',
  method: 'GET',
  path: '/keys',
  tag: 'Keys',
  summary: 'List API keys',
  description: 'The keys of all fleets, revoked ones too, in the order of their making.',
  input: Type.Object({}),
  answer: Type.Object({
    keys: Type.Array(Type.Object({ id: KeyId, fleet_id: KeyFleetId, created_at: Time, revoked_at: nullable(Time) })),
  }),
  async run({ pool }) {
    return { answer: { keys: await listApiKeys(pool(ROLES.operator)) } };
  },
});
