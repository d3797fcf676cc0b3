import type { Pool } from '@milepost/postgres';

/**
 * Returns the rows of a table, or of a SELECT in parentheses, as sorted text. Equal contents therefore give equal
 * results, no matter in which order the rows were written.
 */
export async function tableTexts(owner: Pool, table: string): Promise<string[]> {
  const { rows } = await owner.query<{ row: string }>(`SELECT content::text AS row FROM ${table} content`);
  return rows.map(({ row }) => row).sort();
}

/** Lists the tables in the schema that a pool uses, in alphabetical order. */
export async function tablesOf(owner: Pool): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    'SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1',
  );
  return rows.map(({ name }) => name);
}
