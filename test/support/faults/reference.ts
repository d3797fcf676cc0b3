import { inTransaction, type Pool } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { expect } from 'vitest';
import { shownRows } from '../fold.ts';
import { valuesOf } from '../tables.ts';

/** Returns the number of rows, and a hash of their sorted contents, for a table or a SELECT in parentheses. */
export async function hashOf(owner: Pool, table: string): Promise<string> {
  const [found = ''] = await valuesOf<string>(
    owner,
    `SELECT count(*) || ' rows, ' || coalesce(md5(string_agg(row_hash, '' ORDER BY row_hash COLLATE "C")), '')
     FROM (SELECT md5(content::text) AS row_hash FROM ${table} content) hashed`,
  );
  return found;
}

/** Creates tables that neither replays nor projectors write. The read tables must contain the same rows. */
export async function createReference(owner: Pool) {
  const tableOf = (name: string) => `reference_${name}`;
  for (const { name, createTable, createIndexes } of PROJECTIONS) {
    await owner.query(`${createTable(tableOf(name))} ${createIndexes(tableOf(name))}`);
  }
  let after = 0;
  return {
    /** Advances the tables to a position, which must not precede their current position. */
    async bringTo(through: number) {
      await inTransaction(owner, async (transaction) => {
        for (const { name, apply } of PROJECTIONS) {
          if (through > after) await apply(transaction, { after, through }, tableOf(name));
        }
      });
      after = through;
    },
    /** Returns the hash that the rows of a projection's table must have at the current position. */
    hash: async (name: string) => await hashOf(owner, shownRows(name, tableOf(name))),
  };
}

/** Expects that the read tables have the rows that a fold of the whole log gives. */
export async function expectAllFolded(owner: Pool): Promise<void> {
  const reference = await createReference(owner);
  await reference.bringTo((await valuesOf<number>(owner, 'SELECT position FROM log_head'))[0] ?? 0);
  for (const { name } of PROJECTIONS) expect(await hashOf(owner, name), name).toBe(await reference.hash(name));
}

/** Lists the tables, chunks and marks that a replay has left behind. The list must be empty. */
export async function leftovers(owner: Pool): Promise<string[]> {
  return await valuesOf(
    owner,
    `SELECT 'table ' || tablename AS what FROM pg_tables WHERE schemaname = current_schema() AND tableowner = 'milepost_projector' AND tablename NOT IN (
       SELECT projection || '_' || generation FROM generation WHERE dropped_at IS NULL)
     UNION ALL SELECT 'chunk of replay ' || replay_id FROM replay_chunk
     UNION ALL SELECT 'active share in replay ' || replay_id FROM replay_member JOIN replay USING (replay_id)
       WHERE active AND phase IN ('promoted', 'cancelled', 'dropped')
     UNION ALL SELECT count(*) FILTER (WHERE live) || ' live generations of ' || projection FROM generation
       GROUP BY projection HAVING count(*) FILTER (WHERE live) <> 1
     UNION ALL SELECT 'view ' || projection || ' on another table' FROM generation
       WHERE live AND NOT EXISTS (SELECT FROM pg_views WHERE schemaname = current_schema() AND viewname = projection
         AND definition LIKE '% ' || projection || '_' || generation || ';')`,
  );
}
