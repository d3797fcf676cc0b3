import type { Pool } from '@milepost/postgres';
import { sql } from 'kysely';
import { queryBuilder } from './database.ts';

/**
 * Gives open dead letters up, with a note; the rows and their bytes stay. Those settled before are left as they are.
 *
 * @returns the ids that were discarded
 */
export async function discardDeadLetters(pool: Pool, ids: readonly number[], note: string): Promise<number[]> {
  const rows = await queryBuilder(pool)
    .updateTable('log.dead_letter')
    .set({ resolution: 'discarded', resolved_at: sql<Date>`now()`, note })
    .where('dead_letter_id', 'in', ids)
    .where('resolution', 'is', null)
    .returning('dead_letter_id')
    .execute();
  return rows.map((row) => row.dead_letter_id).sort((left, right) => left - right);
}
