import { createPool, type Pool, ROLES, sqlState } from '@milepost/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld, type World } from '../../support/world.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

describeWithPostgres("the API's database role", () => {
  let world: World;
  let pool: Pool;
  let relations: { name: string; schema: string }[];

  beforeAll(async () => {
    world = await createWorld();
    pool = createPool({
      url: world.url,
      role: ROLES.api,
      applicationName: 'grants',
      connections: 1,
      statementTimeoutMilliseconds: 5_000,
    });
    const { rows } = await world.pool.query(
      `SELECT nspname || '.' || relname AS name, nspname AS schema FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
       WHERE relkind IN ('r', 'v', 'm', 'p') AND nspname IN ('read', 'log', 'access', 'projection', 'milepost') ORDER BY 1`,
    );
    relations = rows;
  });
  afterAll(async () => {
    await pool?.end();
    await world?.close();
  });

  async function refusal(sql: string): Promise<string | null> {
    return await pool.query(sql).then(
      () => null,
      (error: unknown) => sqlState(error),
    );
  }

  it('can read everything in the read schema', async () => {
    const readable = relations.filter(({ schema }) => schema === 'read').map(({ name }) => name);
    expect(readable).toEqual(expect.arrayContaining(['read.api_key', 'read.drivers', 'read.position', 'read.trips']));
    for (const name of readable) expect(await refusal(`SELECT * FROM ${name} LIMIT 1`), name).toBeNull();
  });

  it('can read nothing else: not the log, not the keys, not the checkpoints', async () => {
    const others = relations.filter(({ schema }) => schema !== 'read').map(({ name }) => name);
    expect(others).toEqual(
      expect.arrayContaining(['log.stored_event', 'log.dead_letter', 'access.api_key', 'projection.generation']),
    );
    for (const name of others)
      expect(await refusal(`SELECT * FROM ${name} LIMIT 1`), name).toBe(INSUFFICIENT_PRIVILEGE);
  });

  describe('can change nothing', () => {
    it.each([
      ['INSERT', (name: string) => `INSERT INTO ${name} DEFAULT VALUES`],
      ['DELETE', (name: string) => `DELETE FROM ${name}`],
      ['TRUNCATE', (name: string) => `TRUNCATE ${name}`],
      ['DROP', (name: string) => `DROP TABLE ${name}`],
    ])('%s', async (_verb, statement) => {
      const tables = await world.pool.query<{ name: string }>(
        `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('read', 'log', 'access', 'projection')`,
      );
      expect(tables.rows.length).toBeGreaterThan(8);
      for (const { name } of tables.rows) expect(await refusal(statement(name)), name).toBe(INSUFFICIENT_PRIVILEGE);
    });

    it('UPDATE', async () => {
      for (const [name, column] of [
        ['read.drivers', 'profile'],
        ['read.trips', 'list_entry'],
        ['read.api_key', 'fleet_id'],
      ]) {
        expect(await refusal(`UPDATE ${name} SET ${column} = ${column}`), name).toBe(INSUFFICIENT_PRIVILEGE);
      }
    });

    it('CREATE', async () => {
      for (const schema of ['read', 'log', 'access', 'projection', 'public']) {
        expect(await refusal(`CREATE TABLE ${schema}.mine (x int)`), schema).toBe(INSUFFICIENT_PRIVILEGE);
      }
    });
  });
});
