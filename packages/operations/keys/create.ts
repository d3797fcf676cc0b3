import { ROLES } from '@milepost/postgres';
import Type from 'typebox';
import { createApiKey } from '../api-keys/index.ts';
import { operation } from '../operation.ts';
import { KeyFleetId, KeyId } from './api-key.ts';

export const createKey = operation({
  name: 'keys.create',
  method: 'POST',
  path: '/keys',
  tag: 'Keys',
  summary: 'Create an API key',
  description: 'The answer is the only time that the key is shown: the database keeps its hash alone.',
  input: Type.Object({ fleet_id: KeyFleetId }),
  answer: Type.Object({
    id: KeyId,
    fleet_id: KeyFleetId,
    key: Type.String({ description: 'The only time it is known: the database keeps its hash alone.' }),
  }),
  statuses: [[201, 'The key is made.']],
  change: 'recorded',
  secret: true,
  async run({ pool }, { fleet_id }) {
    const created = await createApiKey(pool(ROLES.operator), fleet_id);
    return { answer: created, detail: created.id };
  },
});
