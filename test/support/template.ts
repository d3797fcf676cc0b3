import { randomBytes } from 'node:crypto';
import { prepareQueue } from '@milepost/ops/queue';
import { createPool, directoryAt, laneAt } from '@milepost/postgres';
import { migrate } from '@milepost/postgres/migrations';
import { Client } from 'pg';
import type { Started } from './services/services.ts';

/** Returns the URL of another database on the same server. */
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

/**
 * Creates the migrated database from which all test databases of a run are cloned. Each run uses a different name,
 * because concurrent runs of different releases may share a server.
 */
export async function createTemplate(serverUrl: string): Promise<Started<string>> {
  const name = `template_${randomBytes(6).toString('hex')}`;
  await administer(serverUrl, [`CREATE DATABASE ${name}`]);
  const url = databaseUrl(serverUrl, name);
  await migrateParts(url);
  const pool = createPool({
    part: laneAt(url),
    applicationName: 'milepost-test',
    connections: 1,
    statementTimeoutMilliseconds: 0,
  });
  await prepareQueue(pool).finally(() => pool.end());
  // From here on, the template accepts no connections, because a single open connection would make every clone fail.
  await administer(serverUrl, [`ALTER DATABASE ${name} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`]);
  const stop = async () =>
    await administer(serverUrl, [`ALTER DATABASE ${name} WITH IS_TEMPLATE false`, `DROP DATABASE ${name}`]);
  return { address: name, stop };
}
