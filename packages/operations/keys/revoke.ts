import { ROLES, type Statement } from '@milepost/postgres';
import Type from 'typebox';
import { operation } from '../operation.ts';
import { Refusal } from '../refusal.ts';
import { isText } from '../schemas.ts';
import { KeyId } from './api-key.ts';

/** The key keeps the time of its first revocation. */
const REVOKE_API_KEY: Statement = {
  name: 'revoke-api-key',
  text: 'UPDATE access.api_key SET revoked_at = coalesce(revoked_at, now()) WHERE api_key_id = $1',
};

export const revokeKey = operation({
  name: 'keys.revoke',
  method: 'DELETE',
  path: '/keys/:id',
  tag: 'Keys',
  summary: 'Revoke an API key',
  description: 'It opens nothing from now on. Done twice, nothing more happens.',
  input: Type.Object({ id: KeyId }),
  answer: Type.Null(),
  statuses: [[204, 'The key is revoked.']],
  change: 'recorded',
  refusals: ['key_not_found'],
  async run({ pool, mention }, { id }) {
    const revoked = isText(id) ? await pool(ROLES.operator).query({ ...REVOKE_API_KEY, values: [id] }) : null;
    if (revoked?.rowCount === 1) return { answer: null };
    throw new Refusal(
      'key_not_found',
      `There is no API key with this id: ${mention.operation('keys.list')} lists the ids.`,
    );
  },
});
