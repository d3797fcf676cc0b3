import { ROLES } from '@milepost/postgres';
import Type from 'typebox';
import { operation } from '../operation.ts';
import { Refusal } from '../refusal.ts';
import { Id, nullable, which } from '../schemas.ts';
import { selectLetters } from './list.ts';
import { deadLetterFields } from './resource.ts';

export const showDeadLetter = operation({
  name: 'dead-letters.show',
  method: 'GET',
  path: '/dead-letters/:id',
  tag: 'Dead letters',
  summary: 'Show a dead letter',
  description: 'Why a record was refused, where it came from, and its bytes.',
  input: Type.Object({ id: Id('The id that the list of dead letters shows.') }),
  answer: Type.Object({
    ...deadLetterFields,
    raw_base64: nullable(
      Type.String({
        contentEncoding: 'base64',
        description: 'The record, byte for byte; null when it had no value at all, or its driver was erased.',
      }),
    ),
  }),
  refusals: ['dead_letter_not_found'],
  async run({ pool, mention }, { id }) {
    const query = selectLetters(pool(ROLES.operator)).select('letter.raw').where('letter.dead_letter_id', '=', id);
    const found = await query.executeTakeFirst();
    if (!found) {
      const listed = mention.operation('dead-letters.list', { all: true });
      throw new Refusal('dead_letter_not_found', `There is no dead letter ${which(id)}: ${listed} shows them.`);
    }
    const { raw, ...letter } = found;
    return { answer: { ...letter, raw_base64: raw?.toString('base64') ?? null } };
  },
});
