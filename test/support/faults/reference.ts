import { inTransaction, type Pool } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { shownRows } from '../fold.ts';

/** Tables that no replay and no projector has touched, in a schema of their own: what the read tables must be. */
export interface Reference {
  /** Brings them to a position, which must not be before the one they are at. */
  bringTo: (position: number) => Promise<void>;
  /** The hash of the rows that a projection's table must show now. */
  hash: (projection: string) => Promise<string>;
}

/** The number and the ordered hash of all rows of a table, or of a SELECT in parentheses, with their whole content. */
export async function hashOf(owner: Pool, table: string): Promise<string> {
  const { rows } = await owner.query<{ hash: string }>(
    `SELECT count(*) || ' rows, ' || coalesce(md5(string_agg(row_hash, '' ORDER BY row_hash COLLATE "C")), '') AS hash
     FROM (SELECT md5(content::text) AS row_hash FROM ${table} content) hashed`,
  );
  return rows[0]?.hash ?? '';
}

export async function createReference(owner: Pool): Promise<Reference> {
  const tableOf = (name: string) => `reference.${name}`;
  await owner.query('CREATE SCHEMA reference');
  for (const { name, createTable, createIndexes } of PROJECTIONS) {
    await owner.query(`${createTable(tableOf(name))} ${createIndexes(tableOf(name))}`);
  }
  let after = 0;
  return {
    async bringTo(through) {
      await inTransaction(owner, async (transaction) => {
        for (const { name, apply } of PROJECTIONS) {
          if (through > after) await apply(transaction, { after, through }, tableOf(name));
        }
      });
      after = through;
    },
    hash: async (name) => await hashOf(owner, shownRows(name, tableOf(name))),
  };
}

/** What no replay may leave behind; empty when all is well. */
export async function leftovers(owner: Pool): Promise<string[]> {
  const { rows } = await owner.query<{ what: string }>(
    `SELECT 'table ' || tablename AS what FROM pg_tables WHERE schemaname = 'read' AND tablename NOT IN (
       SELECT projection || '_' || generation FROM projection.generation WHERE dropped_at IS NULL)
     UNION ALL SELECT 'chunk of replay ' || replay_id FROM projection.replay_chunk
     UNION ALL SELECT 'active share in replay ' || replay_id FROM projection.replay_member JOIN projection.replay USING (replay_id)
       WHERE active AND phase IN ('promoted', 'cancelled', 'dropped')
     UNION ALL SELECT count(*) FILTER (WHERE live) || ' live generations of ' || projection FROM projection.generation
       GROUP BY projection HAVING count(*) FILTER (WHERE live) <> 1
     UNION ALL SELECT 'view ' || projection || ' on another table' FROM projection.generation
       WHERE live AND NOT EXISTS (SELECT FROM pg_views WHERE schemaname = 'read' AND viewname = projection
         AND definition LIKE '%read.' || projection || '_' || generation || ';')`,
  );
  return rows.map((row) => row.what);
}
