import { PROJECTIONS } from '@milepost/projections';
import { hasRowsBefore, pauseReplay } from '@milepost/replay';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { runRetention } from '../../../apps/ops/worker/retention.ts';
import { deliver, openPipeline, type Pipeline, projectAll } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { workerOf } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

/** A Monday. */
const CUTOFF = '2025-01-13' as const;
const RETAINED = PROJECTIONS.filter(({ keepsFrom }) => keepsFrom).map((projection) => ({
  ...projection,
  keepsFrom: () => CUTOFF,
}));
const NAMES = RETAINED.map(({ name }) => name);
const OPTIONS = { tripRetentionDays: 400, replacedGenerationDays: 7 };

describeWithPostgres('retention', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline();
  });
  afterAll(async () => await pipeline.close());

  const retain = async () => await runRetention(pipeline.projector, RETAINED, OPTIONS);

  async function rowCounts(): Promise<Record<string, number>> {
    const counts = NAMES.map((name) => `(SELECT count(*) FROM ${name}) AS ${name}`);
    const { rows } = await pipeline.owner.query<Record<string, number>>(`SELECT ${counts.join(', ')}`);
    return rows[0] ?? {};
  }

  it('keeps a trip that starts at midnight on the cutoff date, and removes one that starts 1 ms earlier', async () => {
    const midnight = Date.parse(CUTOFF);
    await deliver(
      pipeline.ingest,
      [midnight - 1, midnight].map((trip_start_time) =>
        tripProcessed({ trip_start_time, source_trip_id: `at ${trip_start_time}` }),
      ),
    );
    await projectAll(pipeline);
    expect(NAMES).toHaveLength(3);
    expect(await rowCounts()).toEqual(Object.fromEntries(NAMES.map((name) => [name, 2])));
    const { started } = await retain();
    const worker = workerOf(pipeline.projector, PROJECTIONS);
    for (const id of started) await worker.run(id);
    expect(await rowCounts()).toEqual(Object.fromEntries(NAMES.map((name) => [name, 1])));
    const { rows } = await pipeline.owner.query('SELECT trip_start_time FROM trips');
    expect(rows).toEqual([{ trip_start_time: midnight }]);
    // The tables are replayed again only four weeks later: otherwise each late trip could cause a replay.
    for (const projection of RETAINED) {
      const isDue = async (cutoff: string) => await hasRowsBefore(pipeline.projector, projection, cutoff);
      expect([await isDue('2025-02-09'), await isDue('2025-02-10')], projection.name).toEqual([false, true]);
    }
  });

  it('drops replaced generations after the set number of days, and not an hour earlier', async () => {
    const retired = async (hours: number) =>
      await pipeline.owner.query(
        `UPDATE generation SET retired_at = now() - interval '${hours} hours' WHERE retired_at IS NOT NULL;
         UPDATE replay SET finished_at = now() - interval '${hours} hours' WHERE finished_at IS NOT NULL`,
      );
    await retired(7 * 24 - 1);
    expect(await retain()).toEqual({ started: [], dropping: [] });
    await retired(7 * 24 + 1);
    expect((await retain()).dropping).toHaveLength(NAMES.length);
  });

  it.each(NAMES)('removes the old rows of the other tables while a paused replay of %s waits', async (paused) => {
    const own = await openPipeline();
    onTestFinished(async () => await own.close());
    const worker = workerOf(own.projector, PROJECTIONS);
    await deliver(own.ingest, [tripProcessed({ trip_start_time: Date.parse(CUTOFF) - 1 })]);
    await projectAll(own);
    const id = await worker.start({ projection: paused });
    await pauseReplay(own.operator, id);
    const { started } = await runRetention(own.projector, RETAINED, OPTIONS);
    const projections = await Promise.all(started.map(async (each) => (await worker.show(each)).projection));
    expect(projections).toEqual(NAMES.filter((name) => name !== paused));
  });
});
