import type { Pool } from '@milepost/postgres';

/** Returns the values of a query's only column. */
export async function valuesOf<Value>(pool: Pool, sql: string, values: unknown[] = []): Promise<Value[]> {
  return (await pool.query<[Value]>({ text: sql, values, rowMode: 'array' })).rows.map(([value]) => value);
}

/** Returns the value in the only column of a query's first row. */
export async function firstValue<Value>(pool: Pool, sql: string, values?: unknown[]): Promise<Value | undefined> {
  return (await valuesOf<Value>(pool, sql, values))[0];
}

/**
 * Returns the rows of a table, or of a SELECT in parentheses, as sorted text. Equal contents therefore give equal
 * results, no matter in which order the rows were written.
 */
export async function tableTexts(owner: Pool, table: string): Promise<string[]> {
  return (await valuesOf<string>(owner, `SELECT content::text FROM ${table} content`)).sort();
}

/** Lists the tables in the schema that a pool uses, in alphabetical order. */
export async function tablesOf(owner: Pool): Promise<string[]> {
  return await valuesOf(owner, 'SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1');
}
