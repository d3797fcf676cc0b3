import type { Pool } from '@milepost/postgres';

/** Whether any source stands still, or cannot be read: `GET /status` says which, and why. */
export async function sourceFault(pool: Pool): Promise<'source_fault' | null> {
  const text = 'SELECT FROM log.source WHERE fault IS NOT NULL LIMIT 1';
  const { rowCount } = await pool.query({ name: 'check-source-fault', text });
  return rowCount === 0 ? null : 'source_fault';
}
