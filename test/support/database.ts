import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import './provided.ts';
import { administer, databaseUrl, TEMPLATE } from './template.ts';

export interface TestDatabase {
  /** The superuser's URL to this database. */
  url: string;
  drop: () => Promise<void>;
}

/** A migrated, empty database of its own, cloned from the run's template. Drop it in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl');
  if (serverUrl === null) throw new Error(`There is no PostgreSQL: ${inject('unavailableServices').postgres}`);
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying files costs half of what writing each page to the log first does.
  await administer(serverUrl, [`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`]);
  return {
    url: databaseUrl(serverUrl, name),
    drop: async () => await administer(serverUrl, [`DROP DATABASE ${name} WITH (FORCE)`]),
  };
}
