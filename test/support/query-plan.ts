import type { Pool, PoolClient } from 'pg';
import { type MockInstance, vi } from 'vitest';

/** SQL that keeps tables without statistics, so that PostgreSQL plans as it does just after they are filled. */
export function withoutStatistics(tables: readonly string[]): string {
  return tables.map((table) => `ALTER TABLE ${table} SET (autovacuum_enabled = false);`).join('');
}

/** A plan node in the format of `EXPLAIN (ANALYZE, FORMAT JSON)`. */
export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: Plan[];
}

/** All nodes of a plan, beginning with the root. */
export function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** A node's rows, including those removed by its filter. */
export function rowsOf(node: Plan): number {
  return ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);
}

/** The rows that a plan reads from tables and indexes, including those removed by a filter. */
export function rowsRead(plan: Plan): number {
  const scans = nodesOf(plan).filter((node) => node['Relation Name'] !== undefined || node['Index Name'] !== undefined);
  return scans.reduce((sum, node) => sum + rowsOf(node), 0);
}

interface Asked {
  name: string;
  values: readonly unknown[];
}

/** Returns an array with a connection's `query` argument if that is a prepared statement, otherwise an empty array. */
function statementsOf(query: unknown): Asked[] {
  if (typeof query !== 'object' || query === null || !('name' in query) || !('values' in query)) return [];
  const { name, values } = query;
  return typeof name === 'string' && Array.isArray(values) ? [{ name, values }] : [];
}

/** Runs `work`, and returns the prepared statements that a connection or pool ran meanwhile. */
export async function statementsDuring(on: Pool | PoolClient, work: () => Promise<unknown>): Promise<Asked[]> {
  const calls: MockInstance = vi.spyOn(on, 'query');
  try {
    await work();
    return calls.mock.calls.flatMap(([query]) => statementsOf(query));
  } finally {
    calls.mockRestore();
  }
}

function element(value: unknown): string {
  return value === null ? 'NULL' : JSON.stringify(String(value));
}

/** Returns a parameter's value as an SQL literal without a type. */
function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
  const text = Array.isArray(value) ? `{${value.map(element).join(',')}}` : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Runs the statement that the connection has prepared under `name`, and returns its plan. `pool` must have a single
 * connection.
 */
export async function explainPrepared(
  pool: Pool | PoolClient,
  name: string,
  values: readonly unknown[],
): Promise<Plan> {
  const parameters = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
  const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE "${name}"${parameters}`,
  );
  const [plan] = rows.flatMap((row) => row['QUERY PLAN'].map((one) => one.Plan));
  if (!plan) throw new Error(`PostgreSQL returned no plan for ${name}.`);
  return plan;
}
