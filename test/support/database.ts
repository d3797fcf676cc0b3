import { randomBytes } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import './provided.ts';
import { administer, databaseUrl } from './template.ts';

export interface TestDatabase {
  /** The superuser's URL for this database. */
  url: string;
  drop: () => Promise<void>;
}

/**
 * Creates a migrated, empty database as a clone of a template, by default the run's template. The caller drops it in
 * `afterAll`.
 */
export async function createTestDatabase(template = inject('template')): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl');
  if (serverUrl === null) throw new Error(`PostgreSQL is not available: ${inject('unavailableServices').postgres}`);
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying files takes half as long as writing each page to the WAL first.
  await administer(serverUrl, [`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`]);
  return {
    url: databaseUrl(serverUrl, name),
    drop: async () => await administer(serverUrl, [`DROP DATABASE ${name} WITH (FORCE)`]),
  };
}

/** Creates an empty database with these options, which is dropped when the test ends. Returns its URL. */
export async function createEmptyDatabase(serverUrl: string, options = ''): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(serverUrl, [`CREATE DATABASE ${name} ${options}`]);
  onTestFinished(async () => await administer(serverUrl, [`DROP DATABASE ${name} WITH (FORCE)`]));
  return databaseUrl(serverUrl, name);
}

/** Creates a login without roles, which is dropped when the test ends. Returns the database's URL with this login. */
export async function asStranger(url: string): Promise<string> {
  const login = `stranger_${randomBytes(6).toString('hex')}`;
  await administer(url, [`CREATE ROLE ${login} LOGIN PASSWORD 'secret'`]);
  onTestFinished(async () => await administer(url, [`DROP OWNED BY ${login}`, `DROP ROLE ${login}`]));
  return Object.assign(new URL(url), { username: login, password: 'secret' }).href;
}
