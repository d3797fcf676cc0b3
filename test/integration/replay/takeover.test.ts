import { cancelReplay } from '@milepost/replay';
import { beforeEach, expect, it } from 'vitest';
import { perTest, untilTestEnds } from '../../support/fixtures.ts';
import { positionsProjection } from '../../support/fold.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { deliver, openPipeline, projectAll } from '../../support/pipeline.ts';
import { numberedTrips } from '../../support/records.ts';
import { orphanTables, withStages, workerOf } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('a replay with two workers', () => {
  const { projection } = positionsProjection('fake', 1, 100);
  const pipeline = perTest(() => openPipeline([projection]));

  beforeEach(async () => {
    await deliver(pipeline.ingest, numberedTrips(3));
    await projectAll(pipeline, [projection]);
  });

  it("plans the next stage only after the current stage's last chunk", async () => {
    const steps: string[] = [];
    const twoStages = withStages(projection, (stage) => [
      {
        ...stage,
        run: async (...parameters) => {
          let turns = 0;
          const onTurn = () => {
            turns += 1;
          };
          pipeline.projector.on('acquire', onTurn);
          // The other worker keeps finding no free chunk and asking for the next stage, using a connection each time.
          await expect.poll(() => turns > 10 || steps.length > 0).toBe(true);
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
    const worker = workerOf(pipeline.projector, [twoStages]);
    await worker.run(await worker.start({ projection: 'fake' }), { workers: 2 });
    expect(steps).toEqual(['filled', 'planned']);
  });

  it('marks a table as indexed only by the worker with the latest claim', async () => {
    const { owner, projector } = pipeline;
    const createIndexes = (table: string) => `SELECT pg_advisory_xact_lock(7); ${projection.createIndexes(table)}`;
    const worker = workerOf(projector, [{ ...projection, createIndexes }]);
    const id = await worker.start({ projection: 'fake' });
    const claim = async () => {
      await lockWaiters(owner, 1);
      await owner.query(`UPDATE replay SET epoch = epoch + 1, lease_expires_at = now() + interval '1 hour'`);
    };
    await whileLocked(owner, 'SELECT pg_advisory_xact_lock(7)', claim, async () => await worker.run(id));
    const { rows } = await owner.query(
      'SELECT phase, halted, indexed FROM replay JOIN replay_member USING (replay_id)',
    );
    expect(rows).toEqual([{ phase: 'indexing', halted: null, indexed: false }]);
  });

  it('gets no table from a worker that is planning a stage while another worker cancels the replay', async () => {
    const second = workerOf(pipeline.projector, [projection]);
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
    const first = workerOf(pipeline.projector, [watched]);
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
    const pipeline = untilTestEnds(await openPipeline([changed, unchanged]));
    await deliver(pipeline.ingest, numberedTrips(2));
    await projectAll(pipeline, [changed, unchanged]);
    // Both live tables differ from the log: one was built by an earlier version, and the other was damaged.
    await pipeline.owner.query('DELETE FROM changed_1 WHERE position = 1; DELETE FROM unchanged_1 WHERE position = 2');
    const worker = workerOf(pipeline.projector, [{ ...changed, version: 2 }, unchanged]);
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
