import { readdir, readFile } from 'node:fs/promises';
import { type LoginPasswords, prepareLogins } from '../logins.ts';
import { createPool } from '../pool.ts';
import { boolean, number, statement, text } from '../statement.ts';
import { inTransaction } from '../transaction.ts';

interface Migration {
  number: number;
  name: string;
  /** A breaking migration ends in `.breaking.sql`: programs that do not know it must not run on its schema. */
  breaking: boolean;
  sql: string;
}

/** The database was made by a newer release whose schema this program does not understand. */
export class NewerSchemaError extends Error {
  override name = 'NewerSchemaError';
}

const FILE_NAME = /^(\d{4})_([a-z0-9_]+?)(\.breaking)?\.sql$/;

/** Any number that no other software takes as an advisory lock in this database. */
const LOCK_KEY = 7_240_615_001;

async function readMigrations(): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const file of (await readdir(import.meta.dirname)).sort()) {
    const [, number, name, breaking] = FILE_NAME.exec(file) ?? [];
    if (number === undefined || name === undefined) continue;
    const sql = await readFile(new URL(file, import.meta.url), 'utf8');
    migrations.push({ number: Number(number), name, breaking: breaking !== undefined, sql });
  }
  return migrations;
}

const APPLIED = statement('applied-migrations', { number, name: text, breaking: boolean })`
  SELECT number, name, breaking FROM milepost.migration ORDER BY number`;

const RECORD = statement('record-migration')`
  INSERT INTO milepost.migration (number, name, breaking) VALUES ($1, $2, $3)`;

/**
 * Brings the database to this program's schema: numbered plain SQL files, each once, all in one transaction under a lock,
 * so that any number of migrators may start at once. Throws `NewerSchemaError` when the database knows a breaking
 * migration that this program does not.
 *
 * @param url a login that owns the database and may create roles
 * @param passwords of the processes' logins that are made or changed with it
 */
export async function migrate(url: string, passwords: LoginPasswords = {}): Promise<void> {
  const migrations = await readMigrations();
  const pool = createPool({
    url,
    applicationName: 'milepost-migrate',
    connections: 1,
    statementTimeoutMilliseconds: 0,
  });
  try {
    await inTransaction(pool, async (transaction) => {
      await transaction.run(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`);
      await transaction.run('CREATE SCHEMA IF NOT EXISTS milepost');
      await transaction.run(`CREATE TABLE IF NOT EXISTS milepost.migration (
        number integer PRIMARY KEY, name text NOT NULL, breaking boolean NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
      const applied = await transaction.rows(APPLIED);
      const known = new Set(migrations.map((migration) => migration.number));
      const newer = applied.find((migration) => migration.breaking && !known.has(migration.number));
      if (newer) {
        throw new NewerSchemaError(
          `The database has migration ${newer.number} (${newer.name}), which this release of Milepost does not know: run a newer release.`,
        );
      }
      const done = new Set(applied.map((migration) => migration.number));
      for (const migration of migrations.filter((candidate) => !done.has(candidate.number))) {
        await transaction.run(migration.sql);
        await transaction.execute(RECORD, [migration.number, migration.name, migration.breaking]);
      }
      await prepareLogins(transaction, passwords);
    });
  } finally {
    await pool.end();
  }
}
