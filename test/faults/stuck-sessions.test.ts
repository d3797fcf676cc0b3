import { isTransientError, laneAt, ROLES, retryTransientErrors } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { rollBack } from '@milepost/replay';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { advance } from '../../packages/core/projections/engine/advance.ts';
import { history } from '../support/faults/history.ts';
import { expectAllFolded, leftovers } from '../support/faults/reference.ts';
import { perTest, untilTestEnds } from '../support/fixtures.ts';
import { lockWaiters } from '../support/locks.ts';
import { deliver, deliverAndProject, openPartPool, openPipeline, projectAll } from '../support/pipeline.ts';
import { inSmallChunks, workerOf } from '../support/replay.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { firstValue } from '../support/tables.ts';

const all = inSmallChunks(PROJECTIONS, 20);

describeWithPostgres('PostgreSQL', () => {
  const pipeline = perTest(openPipeline);
  beforeEach(async () => void (await deliverAndProject(pipeline, history(1, 40))));

  describe('a session that is idle in a transaction', () => {
    /** Opens a session that was not started by Milepost and that holds locks until it is released. */
    async function stuckSession(sql: string) {
      const client = await pipeline.owner.connect();
      await client.query(`BEGIN; ${sql}`);
      return { release: () => client.release(true) };
    }

    async function expectAllApplied(): Promise<void> {
      await projectAll(pipeline);
      await expectAllFolded(pipeline.owner);
      expect(await leftovers(pipeline.owner)).toEqual([]);
    }

    it('delays only the projector and the promotion if it holds a lock on a live table, and loses no data', async () => {
      const worker = workerOf(pipeline.projector, all);
      const id = await worker.start({ projection: 'all', promote: true });
      const stuck = await stuckSession('LOCK TABLE daily_rollups_1 IN SHARE MODE');
      await deliver(pipeline.ingest, history(100, 110));
      const projecting = advance(pipeline.projector, PROJECTIONS, 1_000);
      await lockWaiters(pipeline.owner, 1);
      const replaying = worker.run(id);
      await lockWaiters(pipeline.owner, 2);
      const { rows } = await pipeline.api.query('SELECT count(*) FROM daily_rollups');
      expect(rows).toHaveLength(1);
      stuck.release();
      await Promise.all([projecting, replaying]);
      expect(await worker.show(id)).toMatchObject({ phase: 'promoted', verification: { equal: true } });
      await expectAllApplied();
    });

    it("delays only ingest if it holds a lock on the log's head", async () => {
      const worker = workerOf(pipeline.projector, all);
      const stuck = await stuckSession('SELECT FROM log_head FOR UPDATE');
      const appending = deliver(pipeline.ingest, history(100, 110));
      await lockWaiters(pipeline.owner, 1);
      const id = await worker.start({ projection: 'all', promote: true });
      await worker.run(id);
      const back = await rollBack(pipeline.operator, all, { projection: 'all', requestedBy: 'test' });
      await worker.run(back.id);
      expect((await worker.show(back.id)).phase).toBe('promoted');
      await advance(pipeline.projector, PROJECTIONS, 1_000);
      stuck.release();
      await appending;
      await expectAllApplied();
    });

    it('is ended by the server if it belongs to Milepost, and its work is retried', async () => {
      for (const pool of [pipeline.projector, pipeline.ingest, pipeline.operator, pipeline.api]) {
        expect(await firstValue(pool, 'SHOW idle_in_transaction_session_timeout')).toBe('1min');
      }
      const noLimit = { statementTimeoutMilliseconds: 0 };
      const shortTimeoutPool = untilTestEnds(openPartPool(laneAt(pipeline.url), ROLES.projector, 1, noLimit));
      await deliver(pipeline.ingest, history(100, 110));
      let isFirst = true;
      const stalling = PROJECTIONS.map((projection) => ({
        ...projection,
        apply: async (...[transaction, range, table]: Parameters<typeof projection.apply>) => {
          await projection.apply(transaction, range, table);
          if (projection.name !== 'trips' || !isFirst) return;
          isFirst = false;
          await transaction.run('SET idle_in_transaction_session_timeout = 1');
          // The loop waits until the server has ended the session, so that the next statement fails.
          const sessions = `SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
          await expect.poll(() => firstValue(pipeline.owner, sessions)).toBe(0);
        },
      }));
      const faults: unknown[] = [];
      const { through } = await retryTransientErrors(() => advance(shortTimeoutPool, stalling, 1_000), {
        signal: AbortSignal.timeout(30_000),
        onRetry: (error) => faults.push(error),
      });
      expect(faults.filter(isTransientError)).toHaveLength(1);
      expect(through).toBeGreaterThan(0);
      await expectAllApplied();
    });
  });

  it('with a full disk makes a replay wait, and then end like an undisturbed replay', async () => {
    await pipeline.owner.query(`
      CREATE FUNCTION public.no_space() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER no_space BEFORE INSERT ON replay_chunk FOR EACH STATEMENT EXECUTE FUNCTION public.no_space()`);
    const worker = workerOf(pipeline.projector, all);
    const id = await worker.start({ projection: 'all', promote: true });
    const onRetry = vi.fn();
    const running = worker.run(id, { onRetry });
    await vi.waitFor(() => expect(onRetry.mock.calls.length).toBeGreaterThanOrEqual(5), { timeout: 60_000 });
    expect(await worker.show(id)).toMatchObject({ phase: 'filling', halted: null, running: true });
    await pipeline.owner.query('DROP FUNCTION public.no_space() CASCADE');
    await running;
    expect(await worker.show(id)).toMatchObject({ phase: 'promoted', verification: { equal: true } });
    expect(await leftovers(pipeline.owner)).toEqual([]);
  });
});
