import { inTransaction } from '@milepost/postgres';
import { prepareGenerations } from '@milepost/projections/engine';
import { cancelReplay, pauseReplay, promoteReplay, resumeReplay } from '@milepost/replay';
import { beforeEach, expect, it, vi } from 'vitest';
import { advance } from '../../../packages/core/projections/engine/advance.ts';
import { ReplayTakenError } from '../../../packages/core/replay/errors.ts';
import { claimReplay, haltReplay, releaseLease, renewLease, setPhase } from '../../../packages/core/replay/lease.ts';
import { findReplay } from '../../../packages/core/replay/replay.ts';
import { perTest } from '../../support/fixtures.ts';
import { positionsProjection, upTo } from '../../support/fold.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { deliver, openPipeline, projectAll } from '../../support/pipeline.ts';
import { numberedTrips } from '../../support/records.ts';
import { orphanTables, replaysOf, withStages } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const { projection } = positionsProjection('fake', 1, 100);
const pipeline = perTest(() => openPipeline([projection]));

/** Stores this many trips and applies them. */
async function grow(trips: number): Promise<void> {
  await deliver(pipeline.ingest, numberedTrips(trips));
  await projectAll(pipeline, [projection]);
}

describeWithPostgres('a replay under a lease', () => {
  const start = async () => await replaysOf(pipeline, [projection]).start({ projection: 'fake' });
  const claim = async (id: number) => (await claimReplay(pipeline.projector, id)) ?? 0;
  const expire = async () => await pipeline.owner.query("UPDATE replay SET lease_expires_at = now() - interval '1 s'");

  /** Reads a replay. `toIndexing` moves it on from the phase that was read, for the worker with the given claim. */
  async function readReplay(id: number) {
    const replay = await findReplay(pipeline.projector, id);
    if (replay === null) throw new Error('The replay is missing.');
    const toIndexing = async (epoch: number) =>
      await inTransaction(pipeline.projector, async (transaction) => {
        await setPhase(transaction, { ...replay, epoch }, 'indexing');
      });
    return { replay, toIndexing };
  }

  it('belongs to one worker until the lease expires or the worker releases it', async () => {
    const { projector } = pipeline;
    const id = await start();
    const held = await claimReplay(projector, id);
    if (held === null) throw new Error('The replay is claimed already.');
    const next = held + 1;
    expect(await claimReplay(projector, id)).toBeNull();
    const rates = { current: null, slowest: null, fastest: null, throttledBy: null };
    expect(await renewLease(projector, id, held, rates)).toMatchObject({ halted: null });
    await expire();
    expect(await claimReplay(projector, id)).toBe(next);
    expect(await renewLease(projector, id, held, rates)).toBeNull();
    expect(await findReplay(projector, id)).toMatchObject({ epoch: next });
    await releaseLease(projector, id, held);
    expect(await claimReplay(projector, id)).toBeNull();
    await releaseLease(projector, id, next);
    expect(await claimReplay(projector, id)).toBe(next + 1);
  });

  it('lets only the worker with the latest claim change or halt it, and only from the current phase', async () => {
    const { projector } = pipeline;
    const id = await start();
    const earlier = await claim(id);
    await expire();
    const newest = await claim(id);
    const { replay: filling, toIndexing } = await readReplay(id);
    await expect(toIndexing(earlier)).rejects.toThrow(ReplayTakenError);
    await haltReplay(projector, { ...filling, epoch: earlier }, 'no such figure');
    expect(await findReplay(projector, id)).toMatchObject({ phase: 'filling', halted: null, error: null });
    await toIndexing(newest);
    expect(await findReplay(projector, id)).toMatchObject({ phase: 'indexing' });
    await expect(toIndexing(newest)).rejects.toThrow(ReplayTakenError);
    await haltReplay(projector, { ...filling, epoch: newest }, 'no such figure');
    expect(await findReplay(projector, id)).toMatchObject({ phase: 'indexing', halted: null, error: null });
  });

  it("keeps its worker's slowest and fastest rates, from which the remaining time is estimated", async () => {
    const id = await start();
    const rates = { current: 20, slowest: 10, fastest: 40, throttledBy: null };
    await renewLease(pipeline.projector, id, await claim(id), rates);
    const rows = await pipeline.rows(
      `SELECT trips_per_second AS current, slowest_trips_per_second AS slowest, fastest_trips_per_second AS fastest
       FROM replay`,
    );
    expect(rows).toEqual([{ current: 20, slowest: 10, fastest: 40 }]);
  });

  it('can have its lease renewed while its worker plans the chunks of a large log', async () => {
    const canBeLocked: boolean[] = [];
    const planned = withStages(projection, (stage) => ({
      ...stage,
      plan: async (...values) => {
        const [locking] = await Promise.allSettled([pipeline.rows('SELECT FROM replay FOR UPDATE NOWAIT')]);
        canBeLocked.push(locking.status === 'fulfilled');
        return await stage.plan(...values);
      },
    }));
    await grow(4);
    await replaysOf(pipeline, [planned]).startAndRun({ projection: 'fake' });
    expect(canBeLocked).toEqual([true]);
  });

  it('cannot be claimed by a worker while it is paused, and its worker cannot change the phase', async () => {
    const { projector, operator } = pipeline;
    const id = await start();
    const epoch = await claim(id);
    const { toIndexing } = await readReplay(id);
    await pauseReplay(operator, id);
    await expect(toIndexing(epoch)).rejects.toThrow(ReplayTakenError);
    await releaseLease(projector, id, epoch);
    expect(await claimReplay(projector, id)).toBeNull();
    await resumeReplay(operator, id);
    await toIndexing(epoch);
    expect(await findReplay(projector, id)).toMatchObject({ phase: 'indexing' });
  });

  it('is not promoted after a pause, even if the promotion was already waiting for a lock', async () => {
    const { operator, owner } = pipeline;
    await grow(4);
    const worker = replaysOf(pipeline, [projection]);
    const id = await worker.startAndRun({ projection: 'fake' });
    await promoteReplay(operator, id, { acceptDifferences: false });
    const pause = async () => {
      await lockWaiters(owner, 1);
      await pauseReplay(operator, id);
    };
    await whileLocked(owner, 'SELECT FROM generation FOR UPDATE', pause, async () => await worker.run(id));
    expect(await worker.show(id)).toMatchObject({ phase: 'promoting', halted: 'paused', live: false });
    await resumeReplay(operator, id);
    expect(await worker.outcome(id)).toMatchObject({ phase: 'promoted', live: true });
  });

  it("is promoted at the live generation's position, however far that advances in the meantime", async () => {
    await deliver(pipeline.ingest, numberedTrips(500));
    await advance(pipeline.projector, [projection], 10);
    const worker = replaysOf(pipeline, [projection]);
    const id = await worker.startAndRun({ projection: 'fake' });
    await promoteReplay(pipeline.operator, id, { acceptDifferences: false });
    // The replay has caught up, and its promotion waits for this lock. When it gets the lock, the replay lags by more
    // positions than the promotion's transaction may apply.
    const goOn = `INSERT INTO fake_1 SELECT generate_series(11, 500);
      UPDATE generation SET checkpoint = 500 WHERE live`;
    await whileLocked(pipeline.owner, goOn, 1, async () => await worker.run(id));
    expect(await worker.show(id)).toMatchObject({ phase: 'promoted', live: true });
    const positions = upTo(500).map((position) => ({ position }));
    expect(await pipeline.rows('SELECT position FROM fake ORDER BY 1')).toEqual(positions);
  });
});

describeWithPostgres('a replay with two workers', () => {
  beforeEach(async () => await grow(3));

  it("plans the next stage only after the current stage's last chunk", async () => {
    const steps: string[] = [];
    const twoStages = withStages(projection, (stage) => [
      {
        ...stage,
        run: async (...parameters) => {
          const onTurn = vi.fn();
          pipeline.projector.on('acquire', onTurn);
          // The other worker keeps finding no free chunk and asking for the next stage, using a connection each time.
          await expect.poll(() => onTurn.mock.calls.length > 10 || steps.length > 0).toBe(true);
          pipeline.projector.off('acquire', onTurn);
          await stage.run(...parameters);
          steps.push('filled');
        },
      },
      {
        ...stage,
        plan: async () => {
          steps.push('planned');
          return [];
        },
      },
    ]);
    const worker = replaysOf(pipeline, [twoStages]);
    await worker.run(await worker.start({ projection: 'fake' }), { workers: 2 });
    expect(steps).toEqual(['filled', 'planned']);
  });

  it('marks a table as indexed only by the worker with the latest claim', async () => {
    const { owner } = pipeline;
    const createIndexes = (table: string) => `SELECT pg_advisory_xact_lock(7); ${projection.createIndexes(table)}`;
    const worker = replaysOf(pipeline, [{ ...projection, createIndexes }]);
    const id = await worker.start({ projection: 'fake' });
    const claim = async () => {
      await lockWaiters(owner, 1);
      await owner.query(`UPDATE replay SET epoch = epoch + 1, lease_expires_at = now() + interval '1 hour'`);
    };
    await whileLocked(owner, 'SELECT pg_advisory_xact_lock(7)', claim, async () => await worker.run(id));
    const sql = 'SELECT phase, halted, indexed FROM replay JOIN replay_member USING (replay_id)';
    expect(await pipeline.rows(sql)).toEqual([{ phase: 'indexing', halted: null, indexed: false }]);
  });

  it('gets no table from a worker that is planning a stage while another worker cancels the replay', async () => {
    const second = replaysOf(pipeline, [projection]);
    let cancelling: Promise<void> = Promise.resolve();
    const watched = withStages(projection, (stage) => ({
      ...stage,
      plan: async (...parameters) => {
        const chunks = await stage.plan(...parameters);
        await cancelReplay(pipeline.operator, id);
        // The epoch has changed, so the first worker cannot renew the lease before the second worker claims it.
        await pipeline.owner.query(`UPDATE replay SET epoch = epoch + 1, lease_expires_at = now() - interval '1 hour'`);
        cancelling = second.run(id);
        // The second worker has dropped the tables that it sees and is waiting for rows of `replay_member` that the
        // first worker has locked.
        await lockWaiters(pipeline.owner, 1);
        return chunks;
      },
    }));
    const first = replaysOf(pipeline, [watched]);
    const id = await first.start({ projection: 'fake' });
    await first.run(id, { workers: 1 });
    await cancelling;
    expect(await first.show(id)).toMatchObject({ phase: 'cancelled' });
    expect(await orphanTables(pipeline)).toEqual([]);
  });
});

describeWithPostgres('the verification of several tables', () => {
  it('does not promote an unexplained difference together with one that a changed version explains', async () => {
    const changed = positionsProjection('changed', 1, 100).projection;
    const unchanged = positionsProjection('unchanged', 1, 100).projection;
    await prepareGenerations(pipeline.projector, [changed, unchanged]);
    await deliver(pipeline.ingest, numberedTrips(2));
    await projectAll(pipeline, [changed, unchanged]);
    // Both live tables differ from the log: one was built by an earlier version, and the other was damaged.
    await pipeline.owner.query('DELETE FROM changed_1 WHERE position = 1; DELETE FROM unchanged_1 WHERE position = 2');
    const worker = replaysOf(pipeline, [{ ...changed, version: 2 }, unchanged]);
    const id = await worker.startAndRun({ projection: 'all', promote: true });
    const { phase, verification } = await worker.show(id);
    expect(phase).toBe('waiting');
    expect(verification).toMatchObject({ equal: false, expected: false, differences: 2 });
    expect(verification?.tables.map((table) => [table.projection, table.expected])).toEqual([
      ['changed', true],
      ['unchanged', false],
    ]);
  });
});
