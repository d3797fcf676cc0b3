import { ROLES } from '@milepost/postgres';
import Type from 'typebox';
import { revokeApiKey } from '../api-keys/index.ts';
import { operation } from '../operation.ts';
import { Refusal } from '../refusal.ts';
import { KeyId } from './api-key.ts';

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
  async run({ pool }, { id }) {
    // No text of PostgreSQL holds U+0000: asking for one would fail.
    const isKnown = !id.includes('\0') && (await revokeApiKey(pool(ROLES.operator), id));
    if (isKnown) return { answer: null };
    throw new Refusal(
      'key_not_found',
      (mention) => `There is no API key with this id: ${mention('keys.list')} lists the ids.`,
    );
  },
});
