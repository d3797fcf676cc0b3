import { PROJECTIONS } from '@milepost/projections';
import { expect, it } from 'vitest';
import { runRetention } from '../../../apps/ops/worker/retention.ts';
import { deliver, openPipeline, projectAll } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const CUTOFF = '2025-01-13' as const;

describeWithPostgres('retention beside a new release', () => {
  it('leaves a read table of an earlier version to the operator, and replays the other read tables', async () => {
    const pipeline = await openPipeline();
    await deliver(pipeline.ingest, [tripProcessed({ trip_start_time: Date.parse(CUTOFF) - 1 })]);
    await projectAll(pipeline);
    const retained = PROJECTIONS.filter(({ keepsFrom }) => keepsFrom).map((projection) => ({
      ...projection,
      keepsFrom: () => CUTOFF,
    }));
    const [outdated, ...current] = retained;
    if (!outdated) throw new Error('No projection has a retention.');
    const release = [{ ...outdated, version: outdated.version + 1 }, ...current];
    await runRetention(pipeline.projector, release, { tripRetentionDays: 400, replacedGenerationDays: 7 });
    const { rows } = await pipeline.owner.query('SELECT projection FROM replay_member ORDER BY 1');
    expect(rows.map(({ projection }) => projection)).toEqual(current.map(({ name }) => name).sort());
    await pipeline.close();
  });
});
