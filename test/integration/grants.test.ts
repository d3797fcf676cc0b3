import { type Pool, ROLES, SQLSTATES, sqlState } from '@milepost/postgres';
import { describe, expect, it } from 'vitest';
import { untilTestEnds } from '../support/fixtures.ts';
import { openDirectory } from '../support/pipeline.ts';
import { describeWithPipeline } from '../support/pipeline-suites.ts';
import { tablesOf, valuesOf } from '../support/tables.ts';

/**
 * The only relations of a lane that the API may read. When a process starts, it uses the list of migrations to check
 * that its release recognizes the schema.
 */
const SERVED = ['applied_lag', 'daily_rollups', 'drivers', 'fleets', 'migration', 'trips', 'weekly_rollups'];

const REDACTIONS = [
  'UPDATE stored_event SET erased = 1',
  'UPDATE trip_body SET trip_events = NULL',
  'UPDATE dead_letter SET raw = NULL',
  'SELECT * FROM erasure_pepper',
];

const relationsOf = async (owner: Pool) =>
  await valuesOf<string>(
    owner,
    `SELECT relname::text FROM pg_class
     WHERE relkind IN ('r', 'v', 'm', 'p') AND relnamespace = current_schema()::text::regnamespace ORDER BY 1`,
  );

// `schema.sql` lists all grants of a migrated database, and `schema.test.ts` compares the two. Projections create the
// read tables and their views.
describeWithPipeline('the database role of', (pipeline) => {
  const refusal = async (pool: Pool, sql: string) => await pool.query(sql).then(() => null, sqlState);
  async function expectRefused(pool: Pool, statements: readonly string[]): Promise<void> {
    for (const sql of statements) expect(await refusal(pool, sql), sql).toBe(SQLSTATES.insufficient_privilege);
  }

  /** Expects that a role may read only these relations of a part. Returns all relations of the part. */
  async function expectReadable(owner: Pool, pool: Pool, readable: readonly string[]): Promise<string[]> {
    const names = await relationsOf(owner);
    for (const name of names) {
      const expected = readable.includes(name) ? null : SQLSTATES.insufficient_privilege;
      expect(await refusal(pool, `SELECT * FROM ${name} LIMIT 1`), name).toBe(expected);
    }
    return names;
  }

  it.each([
    ['ingest', ['UPDATE stored_event SET revision = 9', 'DELETE FROM trip_body', 'DELETE FROM log_source']],
    ['projector', ['INSERT INTO log_head (position) VALUES (1)', 'UPDATE log_head SET position = 0']],
    ['operator', ["UPDATE dead_letter SET reason = 'invalid_json'", 'UPDATE dead_letter SET source_offset = 0']],
  ] as const)('%s can neither change what is stored nor redact it', async (name, statements) => {
    const deletions = ['stored_event', 'dead_letter', 'log_head'].flatMap((table) => [
      `DELETE FROM ${table}`,
      `TRUNCATE ${table}`,
    ]);
    await expectRefused(pipeline[name], [...statements, ...deletions, ...REDACTIONS]);
  });

  it('the operator can append to the audit trail, but not change it', async () => {
    const directory = untilTestEnds(openDirectory(pipeline.url, ROLES.operator));
    const removals = ['DELETE FROM operator_action', 'TRUNCATE operator_action'];
    await expectRefused(directory, ["UPDATE operator_action SET actor = 'nobody'", ...removals]);
  });

  it('the eraser can neither read trails and secrets nor change positions', async () => {
    await expectRefused(pipeline.eraser, [
      ...['trip_body', 'erasure_pepper', 'milepost_directory.api_key'].map((table) => `SELECT * FROM ${table}`),
      'UPDATE stored_event SET position = position',
      'UPDATE generation SET checkpoint = checkpoint',
    ]);
  });

  it.each(['api', 'eraser'] as const)('%s can delete no row and drop no table', async (name) => {
    const tables = await tablesOf(pipeline.owner);
    expect(tables).toEqual(expect.arrayContaining(['stored_event', 'trips_1']));
    for (const table of tables)
      await expectRefused(pipeline[name], [`DELETE FROM ${table}`, `TRUNCATE ${table}`, `DROP TABLE ${table}`]);
    await expectRefused(pipeline[name], ['DELETE FROM drivers', 'DELETE FROM trips']);
  });

  describe('the API', () => {
    it('can select the views that it serves and the migrations, but no table behind a view', async () => {
      const names = await expectReadable(pipeline.owner, pipeline.api, SERVED);
      expect(names).toEqual(expect.arrayContaining([...SERVED, 'stored_event', 'generation', 'trips_1']));
      const { rows } = await pipeline.owner.query(
        `SELECT table_name, column_name FROM information_schema.column_privileges
         WHERE table_schema = current_schema() AND grantee IN ('milepost_api', 'PUBLIC') AND table_name <> ALL ($1)`,
        [SERVED],
      );
      expect(rows).toEqual([]);
    });

    it('can select from four relations of the directory, and change none but the use of a key', async () => {
      const directory = untilTestEnds(openDirectory(pipeline.url, ROLES.api));
      const owner = untilTestEnds(openDirectory(pipeline.url));
      const read = ['api_key_use', 'listed_lane', 'migration', 'valid_api_key'];
      const names = await expectReadable(owner, directory, read);
      expect(names).toEqual(expect.arrayContaining([...read, 'api_key', 'operator_action']));
      for (const name of names)
        await expectRefused(directory, [`DELETE FROM ${name}`, `INSERT INTO ${name} DEFAULT VALUES`]);
      await expectRefused(directory, ['UPDATE api_key_use SET key_hash = key_hash']);
    });

    it('can insert and update nothing, and create no table', async () => {
      const tables = await tablesOf(pipeline.owner);
      await expectRefused(pipeline.api, [
        ...tables.map((table) => `INSERT INTO ${table} DEFAULT VALUES`),
        ...['mine', 'public.mine'].map((table) => `CREATE TABLE ${table} (x int)`),
        'UPDATE drivers SET profile = profile',
        'UPDATE trips SET list_entry = list_entry',
      ]);
    });
  });
});
