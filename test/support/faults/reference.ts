import { readHeadPosition } from '@milepost/event-log/head';
import { inTransaction, type Pool } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { expect } from 'vitest';
import { shownRows } from '../fold.ts';
import { orphanTables } from '../replay.ts';
import { firstValue, valuesOf } from '../tables.ts';

const RANGE_POSITIONS = 10_000;

/** Returns the number of rows, and a hash of their sorted contents, for a table or a SELECT in parentheses. */
async function hashOf(owner: Pool, table: string): Promise<string | undefined> {
  return await firstValue(
    owner,
    `SELECT count(*) || ' rows, ' || coalesce(md5(string_agg(row_hash, '' ORDER BY row_hash COLLATE "C")), '')
     FROM (SELECT md5(content::text) AS row_hash FROM ${table} content) hashed`,
  );
}

/**
 * Expects that the read tables have the rows that a fold of the whole log gives. The fold writes to tables of its own,
 * in ranges as large as a projector's.
 */
export async function expectAllFolded(owner: Pool, where = 'the log'): Promise<void> {
  const head = await readHeadPosition(owner);
  for (const { name, createTable, createIndexes, apply } of PROJECTIONS) {
    const table = `reference_${name}`;
    await owner.query(`${createTable(table)} ${createIndexes(table)}`);
    for (let after = 0; after < head; after += RANGE_POSITIONS) {
      const range = { after, through: Math.min(head, after + RANGE_POSITIONS) };
      await inTransaction(owner, async (transaction) => await apply(transaction, range, table));
    }
    expect(await hashOf(owner, name), `${name} of ${where}`).toBe(await hashOf(owner, shownRows(name, table)));
  }
}

/** Lists the tables, chunks and marks that a replay has left behind. The list must be empty. */
export async function leftovers(owner: Pool): Promise<string[]> {
  const marks = await valuesOf<string>(
    owner,
    `SELECT 'chunk of replay ' || replay_id FROM replay_chunk
     UNION ALL SELECT 'active share in replay ' || replay_id FROM replay_member JOIN replay USING (replay_id)
       WHERE active AND phase IN ('promoted', 'cancelled', 'dropped')
     UNION ALL SELECT count(*) FILTER (WHERE live) || ' live generations of ' || projection FROM generation
       GROUP BY projection HAVING count(*) FILTER (WHERE live) <> 1
     UNION ALL SELECT 'view ' || projection || ' on another table' FROM generation
       WHERE live AND NOT EXISTS (SELECT FROM pg_views WHERE schemaname = current_schema() AND viewname = projection
         AND definition LIKE '% ' || projection || '_' || generation || ';')`,
  );
  return [...(await orphanTables({ owner })), ...marks];
}
