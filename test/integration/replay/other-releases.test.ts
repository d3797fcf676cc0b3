import { PROJECTIONS } from '@milepost/projections';
import type { Projection } from '@milepost/projections/engine';
import { resumeReplay, startReplay } from '@milepost/replay';
import { beforeEach, describe, expect, it } from 'vitest';
import { perTest } from '../../support/fixtures.ts';
import { positionsProjection, projectionNamed } from '../../support/fold.ts';
import { deliverAndProject, openPipeline } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { FAST, orphanTables, runUntil, workerOf } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('a replay of a projection', () => {
  const pipeline = perTest(openPipeline);

  beforeEach(async () => {
    await deliverAndProject(pipeline, [tripProcessed(), tripProcessed({ source_trip_id: 'trip-2' })]);
  });

  const { version } = projectionNamed('trips');
  const others = PROJECTIONS.filter(({ name }) => name !== 'trips');

  describe.each<[string, readonly Projection[], string]>([
    ['with another version', [...others, { ...projectionNamed('trips'), version: version + 1 }], `${version + 1}`],
    ['without the projection', others, 'none'],
  ])('by a release %s', (_name, projections, own) => {
    /** Starts a replay and stops it once its table has been filled. */
    async function startAndFill(): Promise<number> {
      const worker = workerOf(pipeline.projector, PROJECTIONS);
      const id = await worker.start({ projection: 'trips' });
      await runUntil(worker, id, 'indexing');
      return id;
    }

    /** Returns the number of stored chunks. Their boundaries may name drivers. */
    const chunks = async () => (await pipeline.owner.query('SELECT FROM replay_chunk')).rowCount;

    it('halts and names both versions, and can be completed by the release that started it', async () => {
      const id = await startAndFill();
      const other = workerOf(pipeline.projector, projections);
      expect(await other.outcome(id)).toMatchObject({
        ...{ phase: 'indexing', halted: 'failed', position: 2, target: 2, next: ['resume', 'throttle', 'cancel'] },
        error: `Generation 2 of trips belongs to version ${version}, but this program has version ${own}: run the release that started the replay, or cancel the replay.`,
      });
      await resumeReplay(pipeline.operator, id);
      const worker = workerOf(pipeline.projector, PROJECTIONS);
      expect(await worker.outcome(id)).toMatchObject({ phase: 'waiting', error: null, verification: { equal: true } });
      expect(await chunks()).toBe(0);
    });

    it('can be cancelled, and its table and its chunks are dropped', async () => {
      const id = await startAndFill();
      expect(await chunks()).toBeGreaterThan(0);
      const other = workerOf(pipeline.projector, projections);
      await other.cancel(id);
      expect(await other.show(id)).toMatchObject({ phase: 'cancelled', error: null, next: [] });
      expect(await orphanTables(pipeline)).toEqual([]);
      expect(await chunks()).toBe(0);
    });
  });

  it('that does not yet have a read table is refused, and nothing is stored', async () => {
    const { projection: fresh } = positionsProjection('fresh', 1, 100);
    const request = { ...FAST, projection: 'trips,fresh' };
    await expect(startReplay(pipeline.operator, [...PROJECTIONS, fresh], request)).rejects.toMatchObject({
      refusal: { code: 'no_read_table', projection: 'fresh' },
    });
    const { rows } = await pipeline.owner.query(
      'SELECT (SELECT count(*)::int FROM replay) AS replays, (SELECT count(*)::int FROM generation WHERE NOT live) AS built',
    );
    expect(rows).toEqual([{ replays: 0, built: 0 }]);
  });
});
