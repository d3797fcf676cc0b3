import { type Pool, ROLES } from '@milepost/postgres';
import { sql } from 'kysely';
import Type from 'typebox';
import { operation } from '../operation.ts';
import { Reason } from '../schemas.ts';
import { choiceFaults, choiceFields, firstIds, left, MOST_LETTERS } from './choice.ts';
import { queryBuilder } from './database.ts';
import { countOpenDeadLetters } from './open.ts';
import { discardedInWords } from './settled.ts';

/**
 * Gives open dead letters up, with a note; the rows and their bytes stay. Those settled before are left as they are.
 *
 * @returns the ids that were discarded, ascending
 */
export async function discardDeadLetters(pool: Pool, ids: readonly number[], note: string): Promise<number[]> {
  const rows = await queryBuilder(pool)
    // Locked in the order in which a retry locks them: in any other, the two could wait for each other.
    .with('open', (query) =>
      query
        .selectFrom('log.dead_letter')
        .select('dead_letter_id')
        .where('dead_letter_id', '=', sql<number>`ANY(${[...ids]}::bigint[])`)
        .where('resolution', 'is', null)
        .orderBy('source_id')
        .orderBy('source_offset')
        .orderBy('dead_letter_id')
        .forUpdate(),
    )
    .updateTable('log.dead_letter')
    .from('open')
    .set({ resolution: 'discarded', resolved_at: sql<Date>`now()`, note })
    .whereRef('log.dead_letter.dead_letter_id', '=', 'open.dead_letter_id')
    .returning('log.dead_letter.dead_letter_id as id')
    .execute();
  return rows.map((row) => row.id).sort((left, right) => left - right);
}

export const discard = operation({
  name: 'dead-letters.discard',
  arguments: ['ids'],
  method: 'POST',
  path: '/dead-letters/discard',
  tag: 'Dead letters',
  summary: 'Discard dead letters',
  description: `Gives them up, on record; rows and bytes stay. At most ${MOST_LETTERS} a request.`,
  input: Type.Object({ ...choiceFields, note: Reason('1 to 1,000 characters: why, for good.') }),
  faults: choiceFaults,
  answer: Type.Object({
    discarded: Type.Array(Type.Integer(), { description: 'The ids of those that were open.' }),
    not_open: Type.Array(Type.Integer(), { description: 'Of `ids`: there is none, or it is settled already.' }),
    left,
  }),
  change: 'recorded',
  heavy: true,
  async run({ pool }, { ids, all_open, note, ...filter }) {
    const operator = pool(ROLES.operator);
    const chosen = ids ?? (await firstIds(operator, filter));
    const discarded = await discardDeadLetters(operator, chosen, note);
    const settled = new Set(discarded);
    const not_open = all_open ? [] : [...new Set(chosen)].filter((id) => !settled.has(id));
    const remaining = all_open ? await countOpenDeadLetters(operator, filter) : 0;
    return { answer: { discarded, not_open, left: remaining }, detail: discardedInWords(discarded) };
  },
});
