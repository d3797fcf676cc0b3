import { laneAt, type Pool } from '@milepost/postgres';
import { inDefinition } from '@milepost/postgres/definition';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { perSuite } from '../support/fixtures.ts';
import { openPartPool } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

const LOCK = 7_001;

// One server is both the coordinator and the owning node, but the two transactions are separate.
describeWithPostgres('a definition through a coordinator', () => {
  const database = perSuite(createTestDatabase);
  let pool: Pool;

  beforeAll(() => {
    const host = { usable: async () => new URL(database.url).host, forget: () => {} };
    pool = openPartPool({ ...laneAt(database.url), host }, undefined, 3);
  });
  afterAll(async () => await pool.end());

  const isLocked = async () => !(await pool.query(`SELECT pg_try_advisory_xact_lock(${LOCK}) AS free`)).rows[0].free;

  it('holds its locks on the node even for longer than the idle-in-transaction timeout', async () => {
    await inDefinition(
      pool,
      `SELECT pg_advisory_xact_lock(${LOCK}); SET LOCAL idle_in_transaction_session_timeout = '3s'`,
      async (transaction) => {
        await transaction.run('CREATE TABLE built (key bigint)');
        await transaction.run('SELECT pg_sleep(5)');
        expect(await isLocked()).toBe(true);
      },
    );
    expect(await isLocked()).toBe(false);
    expect((await pool.query(`SELECT to_regclass('built') AS built`)).rows).toEqual([{ built: 'built' }]);
  });

  it('is committed once when its work commits itself, and then releases its locks', async () => {
    await inDefinition(pool, `SELECT pg_advisory_xact_lock(${LOCK})`, async (transaction) => {
      await transaction.runAndCommit('CREATE TABLE kept (key bigint)');
      expect(await isLocked()).toBe(true);
    });
    expect(await isLocked()).toBe(false);
    expect((await pool.query(`SELECT to_regclass('kept') AS kept`)).rows).toEqual([{ kept: 'kept' }]);
  });

  it('changes nothing if it has lost its locks', async () => {
    const lose = inDefinition(pool, `SELECT pg_advisory_xact_lock(${LOCK})`, async (transaction) => {
      await transaction.run('CREATE TABLE unguarded (key bigint)');
      await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = ${LOCK}`,
      );
      await expect.poll(isLocked).toBe(false);
    });
    await expect(lose).rejects.toThrow(/connection/i);
    expect((await pool.query(`SELECT to_regclass('unguarded') AS unguarded`)).rows).toEqual([{ unguarded: null }]);
  });
});
