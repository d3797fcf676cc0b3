import { prepareQueue } from '@milepost/ops/queue';
import { createPool, directoryAt, laneAt } from '@milepost/postgres';
import { migrate } from '@milepost/postgres/migrations';
import { Client } from 'pg';

export const TEMPLATE = 'milepost_template';

/** The URL of another database of the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs statements one after another, outside a transaction. */
export async function administer(serverUrl: string, statements: string[]): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Migrates the lane and the directory of a database. */
export async function migrateParts(url: string): Promise<void> {
  await migrate(laneAt(url));
  await migrate(directoryAt(url));
}

/** Creates the migrated database from which every test database is cloned. */
export async function createTemplate(serverUrl: string): Promise<void> {
  await administer(serverUrl, [`CREATE DATABASE ${TEMPLATE}`]);
  const url = databaseUrl(serverUrl, TEMPLATE);
  await migrateParts(url);
  const pool = createPool({
    part: laneAt(url),
    applicationName: 'milepost-test',
    connections: 1,
    statementTimeoutMilliseconds: 0,
  });
  await prepareQueue(pool).finally(() => pool.end());
  // The template accepts no connections from here on: a single open connection would make every clone fail.
  await administer(serverUrl, [`ALTER DATABASE ${TEMPLATE} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`]);
}
