import type { Pool } from '@milepost/postgres';

/** The rows of a table, or of a SELECT in parentheses, as text, in an order of their own: equal for equal contents, whatever order they were written in. */
export async function tableTexts(owner: Pool, table: string): Promise<string[]> {
  const { rows } = await owner.query<{ row: string }>(`SELECT content::text AS row FROM ${table} content`);
  return rows.map(({ row }) => row).sort();
}
