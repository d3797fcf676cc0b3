import type { Pool } from '@milepost/postgres';
import { sql } from 'kysely';
import { queryBuilder } from './database.ts';
import { lettersWithSource, matching } from './filter.ts';
import type { DeadLetterFilter } from './resource.ts';

const PAGE_IDS = 5_000;

/** How many open dead letters match. `pool` acts in the role of the operator or of ingest. */
export async function countOpenDeadLetters(pool: Pool, filter: DeadLetterFilter): Promise<number> {
  const { count } = await lettersWithSource(pool)
    .select((letter) => letter.fn.countAll<number>().as('count'))
    .where(matching(filter))
    .executeTakeFirstOrThrow();
  return count;
}

async function newestId(pool: Pool): Promise<number> {
  const row = await queryBuilder(pool)
    .selectFrom('log.dead_letter')
    .select('dead_letter_id')
    .orderBy('dead_letter_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.dead_letter_id ?? 0;
}

/**
 * The ids of the open dead letters that match and were there at the start, page by page in the order of their sources: by
 * source, then offset. They may be settled between two pages.
 *
 * @param pool connections in the role of the operator or of ingest
 */
export async function* openDeadLetterIds(pool: Pool, filter: DeadLetterFilter): AsyncGenerator<number[]> {
  // Ingest goes on meanwhile; without an end, so would this.
  const last = await newestId(pool);
  let after = { source_id: 0, source_offset: -1, id: 0 };
  for (;;) {
    const { source_id, source_offset, id } = after;
    const rows = await lettersWithSource(pool)
      .select(['letter.dead_letter_id as id', 'letter.source_id', 'letter.source_offset'])
      .where(matching(filter))
      .where('letter.dead_letter_id', '<=', last)
      .where(
        sql<boolean>`(letter.source_id, letter.source_offset, letter.dead_letter_id) > (${source_id}, ${source_offset}, ${id})`,
      )
      .orderBy('letter.source_id')
      .orderBy('letter.source_offset')
      .orderBy('letter.dead_letter_id')
      .limit(PAGE_IDS)
      .execute();
    if (rows.length > 0) yield rows.map((row) => row.id);
    const end = rows.at(-1);
    if (!end || rows.length < PAGE_IDS) return;
    after = end;
  }
}
