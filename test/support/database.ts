import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import './provided.ts';
import { administer, databaseUrl } from './template.ts';

/** The connection options with which pg uses a database's lane. */
export const ON_LANE = { options: '-c search_path=milepost' };

export interface TestDatabase {
  /** This database's URL for the superuser. */
  url: string;
  drop: () => Promise<void>;
}

/** Creates a migrated, empty database as a clone of the run's template. The caller drops it in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl');
  if (serverUrl === null) throw new Error(`PostgreSQL is not available: ${inject('unavailableServices').postgres}`);
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying files takes half as long as writing each page to the WAL first.
  await administer(serverUrl, [`CREATE DATABASE ${name} TEMPLATE ${inject('template')} STRATEGY FILE_COPY`]);
  return {
    url: databaseUrl(serverUrl, name),
    drop: async () => await administer(serverUrl, [`DROP DATABASE ${name} WITH (FORCE)`]),
  };
}
