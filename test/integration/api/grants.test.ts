import { directoryAt, laneAt, type Part, type Pool, ROLES, sqlState } from '@milepost/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { perSuite } from '../../support/fixtures.ts';
import { openPartPool } from '../../support/pipeline.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { tablesOf } from '../../support/tables.ts';
import { createWorld } from '../../support/world.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * The only relations that the API may read. When a process starts, it uses the list of migrations to check that its
 * release recognizes the schema.
 */
const SERVED = {
  lane: ['applied_lag', 'daily_rollups', 'drivers', 'fleets', 'migration', 'trips', 'weekly_rollups'],
  directory: ['api_key_use', 'listed_lane', 'migration', 'valid_api_key'],
};

async function relationsOf(owner: Pool): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class
     WHERE relkind IN ('r', 'v', 'm', 'p') AND relnamespace = current_schema()::text::regnamespace ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

describeWithPostgres("the API's database role", () => {
  const world = perSuite(createWorld);
  const pools: Pool[] = [];

  afterAll(async () => await Promise.all(pools.map((pool) => pool.end())));

  async function refusal(pool: Pool, sql: string): Promise<string | null> {
    return await pool.query(sql).then(() => null, sqlState);
  }

  const open = (part: Part) => {
    const pool = openPartPool(part, ROLES.api, 1, { statementTimeoutMilliseconds: 5_000 });
    pools.push(pool);
    return pool;
  };

  describe.each(['lane', 'directory'] as const)('in the %s', (kind) => {
    const owner = () => (kind === 'lane' ? world.pool : world.directory);
    let pool: Pool;
    beforeAll(() => {
      pool = open((kind === 'lane' ? laneAt : directoryAt)(world.url));
    });

    it('can select the views that it serves, and the list of migrations', async () => {
      for (const name of SERVED[kind]) expect(await refusal(pool, `SELECT * FROM ${name} LIMIT 1`), name).toBeNull();
    });

    it('can select nothing else: no stored events, keys, checkpoints or tables behind a view', async () => {
      const others = (await relationsOf(owner())).filter((name) => !SERVED[kind].includes(name));
      expect(others).toEqual(
        expect.arrayContaining(
          kind === 'lane'
            ? ['stored_event', 'trip_body', 'dead_letter', 'generation', 'trips_1']
            : ['api_key', 'operator_action'],
        ),
      );
      for (const name of others) {
        expect(await refusal(pool, `SELECT * FROM ${name} LIMIT 1`), name).toBe(INSUFFICIENT_PRIVILEGE);
      }
    });

    it('can select no column of a table', async () => {
      const { rows } = await owner().query(
        `SELECT table_name, column_name FROM information_schema.column_privileges
         WHERE table_schema = current_schema() AND grantee IN ('milepost_api', 'PUBLIC') AND table_name <> ALL ($1)`,
        [SERVED[kind]],
      );
      expect(rows).toEqual([]);
    });

    it('can change nothing, and create no table', async () => {
      for (const table of ['mine', 'public.mine']) {
        expect(await refusal(pool, `CREATE TABLE ${table} (x int)`), table).toBe(INSUFFICIENT_PRIVILEGE);
      }
      const tables = await tablesOf(owner());
      expect(tables.length).toBeGreaterThan(kind === 'lane' ? 15 : 2);
      for (const name of tables) {
        for (const sql of [
          `INSERT INTO ${name} DEFAULT VALUES`,
          `DELETE FROM ${name}`,
          `TRUNCATE ${name}`,
          `DROP TABLE ${name}`,
        ]) {
          expect(await refusal(pool, sql), sql).toBe(INSUFFICIENT_PRIVILEGE);
        }
      }
    });
  });

  it('can update no column of a view', async () => {
    for (const [pool, name, column] of [
      [open(laneAt(world.url)), 'drivers', 'profile'],
      [open(laneAt(world.url)), 'trips', 'list_entry'],
      [open(directoryAt(world.url)), 'valid_api_key', 'fleet_id'],
      [open(directoryAt(world.url)), 'api_key_use', 'key_hash'],
    ] as const) {
      expect(await refusal(pool, `UPDATE ${name} SET ${column} = ${column}`), name).toBe(INSUFFICIENT_PRIVILEGE);
    }
  });
});
