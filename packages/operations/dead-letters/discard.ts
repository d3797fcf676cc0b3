import type { Pool } from '@milepost/postgres';
import { sql } from 'kysely';
import { queryBuilder } from './database.ts';
import type { OpenDeadLetterFilter } from './filter.ts';
import { openDeadLetterIds } from './open.ts';

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

/**
 * Gives all open dead letters up that match, in batches.
 *
 * @param onProgress hears how many have been discarded so far
 * @returns the ids that were discarded
 */
export async function discardOpenDeadLetters(
  pool: Pool,
  filter: OpenDeadLetterFilter,
  note: string,
  onProgress: (discarded: number) => void = () => {},
): Promise<number[]> {
  const discarded: number[] = [];
  for await (const ids of openDeadLetterIds(pool, filter)) {
    discarded.push(...(await discardDeadLetters(pool, ids, note)));
    onProgress(discarded.length);
  }
  return discarded;
}
