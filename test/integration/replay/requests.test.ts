import { PROJECTIONS } from '@milepost/projections';
import { cancelReplay, dropReplay, promoteReplay, resumeReplay } from '@milepost/replay';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { deliver, openPipeline, type Pipeline, projectAll } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { orphanTables, workerOf } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('requests for a replay', () => {
  let pipeline: Pipeline;

  beforeEach(async () => {
    pipeline = await openPipeline();
    await deliver(pipeline.ingest, [tripProcessed(), tripProcessed({ source_trip_id: 'trip-2' })]);
    await projectAll(pipeline);
  });
  afterEach(async () => await pipeline.close());

  it('take effect during verification, so that the replay is promoted and does not wait', async () => {
    const { owner, operator, projector } = pipeline;
    const worker = workerOf(projector, PROJECTIONS);
    const id = await worker.start({ projection: 'trips' });
    const promote = async () => {
      await lockWaiters(owner, 1);
      expect(await worker.show(id)).toMatchObject({ phase: 'verifying', promote: false });
      await promoteReplay(operator, id, { acceptDifferences: false });
    };
    // Only the comparison reads the live table.
    await whileLocked(owner, 'LOCK TABLE trips_1', promote, async () => await worker.run(id));
    expect(await worker.show(id)).toMatchObject({ phase: 'promoted', can_be_rolled_back: true });
  });

  it.each([
    ['cancelling', cancelReplay, 'cancelled'],
    ['dropping', dropReplay, 'dropped'],
  ] as const)('retry a failed %s after its cause is fixed', async (phase, request, end) => {
    const { owner, operator, projector } = pipeline;
    const worker = workerOf(projector, PROJECTIONS);
    const id = await worker.start({ projection: 'trips' });
    await worker.run(id);
    await owner.query('CREATE VIEW public.dependent AS SELECT * FROM trips_2');
    await request(operator, id);
    await worker.run(id);
    expect(await worker.show(id)).toMatchObject({ phase, halted: 'failed', error: expect.stringContaining('depend') });
    await owner.query('DROP VIEW public.dependent');
    await resumeReplay(operator, id);
    await worker.run(id);
    expect(await worker.show(id)).toMatchObject({ phase: end, halted: null, error: null });
    expect(await orphanTables(pipeline)).toEqual([]);
  });
});
