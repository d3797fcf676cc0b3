import { randomBytes } from 'node:crypto';
import { directoryAt, laneAt } from '@milepost/postgres';
import { migrate } from '@milepost/postgres/migrations';
import { Client } from 'pg';
import type { Started } from './services/services.ts';

/** The possible numbers of lanes in a newly created test database. Each of these lanes has read tables. */
const LANE_COUNTS = [1, 2, 3] as const;

export type LaneCount = (typeof LANE_COUNTS)[number];

/** Returns the name of the template that adds lanes and read tables to the run's template. */
export function laneTemplateName(template: string, lanes: LaneCount): string {
  return `${template}_lanes_${lanes}`;
}

/** Returns the URL of a different database on the same server. */
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

/** Migrates a database's lane and directory. */
export async function migrateParts(url: string): Promise<void> {
  await migrate(laneAt(url));
  await migrate(directoryAt(url));
}

/**
 * Creates the migrated database from which all test databases in a run are cloned. Each run uses a different name,
 * because concurrent runs of different releases may share a server.
 */
export async function createTemplate(serverUrl: string): Promise<Started<string>> {
  const name = `template_${randomBytes(6).toString('hex')}`;
  await administer(serverUrl, [`CREATE DATABASE ${name}`]);
  const url = databaseUrl(serverUrl, name);
  await migrateParts(url);
  // The template no longer accepts connections, because a single open connection would make every clone fail.
  await administer(serverUrl, [`ALTER DATABASE ${name} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`]);
  const stop = async () =>
    await administer(serverUrl, [
      `ALTER DATABASE ${name} WITH IS_TEMPLATE false`,
      ...[name, ...LANE_COUNTS.map((lanes) => laneTemplateName(name, lanes))].map(
        (each) => `DROP DATABASE IF EXISTS ${each}`,
      ),
    ]);
  return { address: name, stop };
}
