import { type Pool, ROLES } from '@milepost/postgres';
import { sql } from 'kysely';
import Type from 'typebox';
import { operation } from '../operation.ts';
import { nextBefore, pageInputs, pageOf } from '../schemas.ts';
import { lettersWithSource, matching } from './filter.ts';
import { DeadLetter, type DeadLetterFilter, filterFields } from './resource.ts';

const USUAL = 100;

export function selectLetters(pool: Pool) {
  return lettersWithSource(pool).select([
    'letter.dead_letter_id as id',
    'letter.received_at',
    'source.topic',
    'source.partition',
    'letter.source_offset as offset',
    'letter.reason',
    'letter.field',
    'letter.message',
    sql<number | null>`octet_length(letter.raw)`.as('raw_bytes'),
    'letter.resolution',
    'letter.resolved_at',
    'letter.note',
  ]);
}

/**
 * The newest dead letters that match, newest first. `pool` acts in the operator's role.
 *
 * @param page at most `limit` of them, all with smaller ids than `before`, where it is given; with `all`, settled ones too
 */
export async function findDeadLetters(
  pool: Pool,
  filter: DeadLetterFilter,
  { limit, before, all = false }: { limit: number; before?: number | undefined; all?: boolean },
): Promise<DeadLetter[]> {
  return await selectLetters(pool)
    .where(matching(filter, all))
    .$if(before !== undefined, (query) => query.where('letter.dead_letter_id', '<', before ?? 0))
    .orderBy('letter.dead_letter_id', 'desc')
    .limit(limit)
    .execute();
}

export const listDeadLetters = operation({
  name: 'dead-letters.list',
  method: 'GET',
  path: '/dead-letters',
  tag: 'Dead letters',
  summary: 'List dead letters',
  description: 'Those that nobody has settled, newest first, without the bytes of their records.',
  input: Type.Object({
    ...filterFields,
    all: Type.Optional(
      Type.Boolean({ default: false, description: 'true or false: whether to list settled ones too.' }),
    ),
    ...pageInputs(1_000, USUAL),
  }),
  answer: Type.Object({ dead_letters: Type.Array(DeadLetter), next_before: nextBefore }),
  heavy: true,
  async run({ pool }, { all = false, limit = USUAL, before, ...filter }) {
    const { entries, next_before } = await pageOf(limit, async (most) => {
      return await findDeadLetters(pool(ROLES.operator), filter, { limit: most, before, all });
    });
    return { answer: { dead_letters: entries, next_before } };
  },
});
