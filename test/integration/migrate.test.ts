import { randomBytes } from 'node:crypto';
import { ROLES } from '@milepost/postgres';
import { migrate, NewerSchemaError } from '@milepost/postgres/migrations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPool } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { administer, databaseUrl } from '../support/template.ts';

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
    expect(rows.map((row) => row.number)).toEqual(rows.map((_, index) => index + 1));
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
