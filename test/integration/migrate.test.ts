import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROLES } from '@milepost/postgres';
import { migrate, NewerSchemaError } from '@milepost/postgres/migrations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPool } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { administer, databaseUrl } from '../support/template.ts';

const MIGRATIONS = join(import.meta.dirname, '../../packages/postgres/migrations');

/** Brings an empty database to the schema of an earlier release: what it knew, and the list of it. */
async function migrateThrough(url: string, last: number): Promise<void> {
  await administer(url, [
    'CREATE SCHEMA milepost',
    `CREATE TABLE milepost.migration (number integer PRIMARY KEY, name text NOT NULL, breaking boolean NOT NULL,
       applied_at timestamptz NOT NULL DEFAULT now())`,
  ]);
  for (const file of (await readdir(MIGRATIONS)).filter((each) => each.endsWith('.sql')).sort()) {
    const number = Number.parseInt(file, 10);
    if (number > last) break;
    const listed = `INSERT INTO milepost.migration VALUES (${number}, '${file}', ${file.includes('breaking')})`;
    await administer(url, [await readFile(join(MIGRATIONS, file), 'utf8'), listed]);
  }
}

describeWithPostgres('migrations', (serverUrl) => {
  let url = '';
  let name = '';
  beforeEach(async () => {
    name = `empty_${randomBytes(6).toString('hex')}`;
    await administer(serverUrl, [`CREATE DATABASE ${name}`]);
    url = databaseUrl(serverUrl, name);
  });
  afterEach(async () => await administer(serverUrl, [`DROP DATABASE ${name} WITH (FORCE)`]));

  it('are each applied once when twenty processes migrate an empty database at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => migrate(url)));
    const owner = openPool(url);
    const { rows } = await owner.query<{ number: number }>('SELECT number FROM milepost.migration ORDER BY number');
    const head = await owner.query('SELECT position FROM log.head');
    await owner.end();
    const numbers = (await readdir(MIGRATIONS))
      .filter((file) => file.endsWith('.sql'))
      .map((file) => Number.parseInt(file, 10));
    expect(rows.map((row) => row.number)).toEqual(numbers.sort((one, other) => one - other));
    expect(rows.length).toBeGreaterThan(1);
    expect(head.rows).toEqual([{ position: 0 }]);
  });

  it('refuse a database that a newer release has changed in a way that this one does not understand', async () => {
    await migrate(url);
    await administer(url, [`INSERT INTO milepost.migration (number, name, breaking) VALUES (9000, 'harmless', false)`]);
    await migrate(url);
    await administer(url, [`INSERT INTO milepost.migration (number, name, breaking) VALUES (9001, 'other', true)`]);
    await expect(migrate(url)).rejects.toThrow(NewerSchemaError);
  });

  it('call the cutoff by its name in what is kept, and change nothing else of it', async () => {
    await migrateThrough(url, 11);
    const owner = openPool(url);
    const kept = async () => {
      const { rows } = await owner.query<{ row: Record<string, unknown> }>(
        `SELECT row FROM (SELECT to_jsonb(kept) AS row FROM projection.replay kept
           UNION ALL SELECT to_jsonb(kept) FROM projection.audit kept
           UNION ALL SELECT to_jsonb(kept) FROM projection.generation kept) listed
         ORDER BY row ->> 'replay_id', row ->> 'audit_id'`,
      );
      return rows.map(({ row }) => row);
    };
    const renamed = ({ horizon, ...rest }: Record<string, unknown>) => ({ ...rest, cutoff: horizon });
    const verification = { equal: true, horizon: '2025-01-06', tables: [{ samples: [{ horizon: 'of a driver' }] }] };
    const audited = [
      { projection: 'trips', horizon: '2025-01-06', rows: 2 },
      { projection: 'drivers', horizon: null, rows: 1 },
    ];
    const faults = [{ detail: 'horizon' }];
    await owner.query(
      `INSERT INTO projection.replay (kind, projection, phase, target, horizon, promote, throttle, requested_by, verification)
       SELECT 'build', 'all', 'waiting', 7, '2025-01-06', false, 'off', 'test', kept
       FROM unnest($1::jsonb[]) kept`,
      [[JSON.stringify(verification), null]],
    );
    await owner.query(
      `INSERT INTO projection.audit (position, equal, seconds, report) SELECT 7, true, 1.5, kept FROM unnest($1::jsonb[]) kept`,
      [
        [{ faults, projections: audited }, { faults, projections: [] }, { faults }].map((report) =>
          JSON.stringify(report),
        ),
      ],
    );
    await owner.query(
      `INSERT INTO projection.generation (projection, generation, version, horizon) VALUES ('trips', 1, 1, '2025-01-06')`,
    );
    const [replay = {}, unverified = {}, audit, ...others] = await kept();
    const generation = others.pop() ?? {};
    await migrate(url);
    expect(await kept()).toEqual([
      { ...renamed(replay), verification: renamed(verification) },
      renamed(unverified),
      { ...audit, report: { faults, projections: audited.map(renamed) } },
      ...others,
      renamed(generation),
    ]);
    await owner.end();
  });

  it('need no right to make roles where the four roles were made and granted beforehand', async () => {
    await migrate(url);
    await administer(serverUrl, [`DROP DATABASE ${name}`]);
    const roles = Object.values(ROLES).join(', ');
    await administer(serverUrl, [
      `CREATE ROLE ${name} LOGIN PASSWORD 'owner' NOCREATEROLE IN ROLE ${roles}`,
      `CREATE DATABASE ${name} OWNER ${name}`,
    ]);
    const login = new URL(url);
    login.username = name;
    login.password = 'owner';
    try {
      await migrate(login.href);
      const ingest = openPool(login.href, ROLES.ingest, 1);
      expect((await ingest.query('SELECT position FROM log.head')).rows).toEqual([{ position: 0 }]);
      await ingest.end();
    } finally {
      await administer(serverUrl, [
        `DROP DATABASE ${name} WITH (FORCE)`,
        `DROP ROLE ${name}`,
        `CREATE DATABASE ${name}`,
      ]);
    }
  });
});
