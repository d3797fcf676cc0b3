import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { directoryAt, laneAt, type Part } from '@milepost/postgres';
import { MigrationRefusedError, migrate } from '@milepost/postgres/migrations';
import { beforeEach, describe, expect, it } from 'vitest';
import { createEmptyDatabase } from '../support/database.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { openPartPool } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { tablesOf, valuesOf } from '../support/tables.ts';
import { administer, migrateParts } from '../support/template.ts';

const MIGRATIONS = join(import.meta.dirname, '../../packages/platform/postgres/migrations');
const MIGRATORS = 20;

async function numbersOf(kind: Part['kind']): Promise<number[]> {
  const files = await readdir(join(MIGRATIONS, kind));
  return files.filter((file) => /^\d{4}_/.test(file)).map((file) => Number.parseInt(file, 10));
}

describeWithPostgres('migrations', (serverUrl) => {
  let url = '';
  beforeEach(async () => {
    url = await createEmptyDatabase(serverUrl);
  });

  /** Opens the superuser's pool on a part. */
  const openOwner = (part: Part) => untilTestEnds(openPartPool(part, undefined, 1));

  it('are each applied once when twenty processes migrate an empty database concurrently', async () => {
    const parts = [laneAt(url), directoryAt(url)];
    await Promise.all(parts.flatMap((part) => Array.from({ length: MIGRATORS }, () => migrate(part))));
    for (const part of parts) {
      const numbers = await numbersOf(part.kind);
      expect(numbers.length).toBeGreaterThan(0);
      const applied = await valuesOf(openOwner(part), 'SELECT number FROM migration ORDER BY number');
      expect(applied).toEqual(numbers.sort((one, other) => one - other));
    }
    expect(await valuesOf(openOwner(laneAt(url)), 'SELECT position FROM log_head')).toEqual([0]);
  });

  describe.each([['lane', laneAt] as const, ['directory', directoryAt] as const])('of the %s', (_kind, partAt) => {
    const change = async (sql: string) => await openOwner(partAt(url)).query(sql);
    beforeEach(async () => await migrate(partAt(url)));

    it('refuse a schema with a breaking change from a newer release', async () => {
      const insert = 'INSERT INTO migration (number, name, breaking, content_hash) VALUES';
      await change(`${insert} (9000, 'harmless', false, '')`);
      await migrate(partAt(url));
      await change(`${insert} (9001, 'other', true, '')`);
      await expect(migrate(partAt(url))).rejects.toThrow(MigrationRefusedError);
      await expect(migrate(partAt(url))).rejects.toThrow('has migration 9001 (other)');
    });

    it('refuse to run when an applied migration was edited', async () => {
      await migrate(partAt(url));
      await change(`UPDATE migration SET content_hash = repeat('0', 64) WHERE number = 1`);
      const refused = migrate(partAt(url));
      await expect(refused).rejects.toThrow(MigrationRefusedError);
      await expect(refused).rejects.toThrow(
        `Migration 1 (baseline) was applied to schema ${partAt(url).schema} with different content`,
      );
    });
  });

  it('have no time limit, because creating an index on a large log may take hours', async () => {
    await administer(url, [
      'CREATE TABLE public.seen (statement_timeout text)',
      `CREATE FUNCTION public.see() RETURNS event_trigger LANGUAGE plpgsql
         AS $$ BEGIN INSERT INTO public.seen VALUES (current_setting('statement_timeout')); END $$`,
      'CREATE EVENT TRIGGER see ON ddl_command_start EXECUTE FUNCTION public.see()',
    ]);
    await migrateParts(url);
    expect(await valuesOf(openOwner(laneAt(url)), 'SELECT DISTINCT * FROM public.seen')).toEqual(['0']);
  });

  it('refuse the schema of release 0.1.0 by name, describe how to move its log, and change nothing', async () => {
    await administer(url, [
      'CREATE SCHEMA milepost',
      `CREATE TABLE milepost.migration (number integer PRIMARY KEY, name text NOT NULL, breaking boolean NOT NULL,
         applied_at timestamptz NOT NULL DEFAULT now())`,
      `INSERT INTO milepost.migration (number, name, breaking) VALUES (1, 'event_log', false)`,
    ]);
    const refused = migrateParts(url);
    await expect(refused).rejects.toThrow(MigrationRefusedError);
    await expect(refused).rejects.toThrow(
      new RegExp(
        `^Database ${new URL(url).pathname.slice(1)} has the schema of Milepost 0\\.1\\.0, .*archive export.*milepost ingest`,
      ),
    );
    const owner = openOwner(laneAt(url));
    expect(await tablesOf(owner)).toEqual(['migration']);
    const schemas = "SELECT nspname::text FROM pg_namespace WHERE nspname LIKE 'milepost%'";
    expect(await valuesOf(owner, schemas)).toEqual(['milepost']);
  });
});
