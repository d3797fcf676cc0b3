import { prepareQueue } from '@milepost/ops/queue';
import { migrate } from '@milepost/postgres/migrations';
import { Client, Pool } from 'pg';

export const TEMPLATE = 'milepost_template';

/** The URL of another database of the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs statements, one after the other, outside a transaction. */
export async function administer(serverUrl: string, statements: string[]): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Makes the migrated database that every test database is cloned from. */
export async function createTemplate(serverUrl: string): Promise<void> {
  await administer(serverUrl, [`CREATE DATABASE ${TEMPLATE}`]);
  const url = databaseUrl(serverUrl, TEMPLATE);
  await migrate(url);
  const pool = new Pool({ connectionString: url });
  await prepareQueue(pool).finally(() => pool.end());
  // Nobody may connect from here on: one open connection would make every clone fail.
  await administer(serverUrl, [`ALTER DATABASE ${TEMPLATE} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`]);
}
