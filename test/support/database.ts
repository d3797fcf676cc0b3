import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import './provided.ts';
import { administer, databaseUrl } from './template.ts';

/** The connection options with which pg uses the lane of a database. */
export const ON_LANE = { options: '-c search_path=milepost' };

export interface TestDatabase {
  /** The superuser's URL of this database. */
  url: string;
  drop: () => Promise<void>;
}

/** Creates a migrated, empty database as a clone of the run's template. Drop it in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl');
  if (serverUrl === null) throw new Error(`PostgreSQL is not available: ${inject('unavailableServices').postgres}`);
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying files takes half the time of writing each page to the WAL first.
  await administer(serverUrl, [`CREATE DATABASE ${name} TEMPLATE ${inject('template')} STRATEGY FILE_COPY`]);
  return {
    url: databaseUrl(serverUrl, name),
    drop: async () => await administer(serverUrl, [`DROP DATABASE ${name} WITH (FORCE)`]),
  };
}
