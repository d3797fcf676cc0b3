import { setTimeout as delay } from 'node:timers/promises';
import { PROJECTIONS } from '@milepost/projections';
import { prepareGenerations } from '@milepost/projections/engine';
import { findExpired, promoteReplay, rollBack } from '@milepost/replay';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { advance } from '../../../packages/projections/engine/advance.ts';
import { positionsProjection } from '../../support/fold.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { deliver, openPipeline, type Pipeline, projectAll } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { inSmallChunks, watchedChunks, workerOf } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const LONGER_THAN_TWO_RENEWALS_MILLISECONDS = 1_200;

describeWithPostgres('a replay and who works on it', () => {
  let pipeline: Pipeline;
  beforeEach(async () => {
    pipeline = await openPipeline([]);
  });
  afterEach(async () => await pipeline.close());

  const grow = async (records: number) =>
    await deliver(
      pipeline.ingest,
      upTo(records).map((number) => tripProcessed({ source_trip_id: `trip-${number}` })),
    );

  describe('a worker that was replaced in the midst of a chunk', () => {
    /** Another worker claims the replay for an hour; then the one at work goes on with `then`. */
    async function replaced(then: () => Promise<void>) {
      const { projection } = positionsProjection('fake', 1, 100);
      await prepareGenerations(pipeline.projector, [projection]);
      await grow(4);
      await projectAll(pipeline, [projection]);
      const watched = watchedChunks(projection, async () => {
        await pipeline.owner.query(
          `UPDATE projection.replay SET epoch = epoch + 1, lease_expires_at = now() + interval '1 hour'`,
        );
        await then();
      });
      const worker = workerOf(pipeline.projector, [watched]);
      await worker.run(await worker.start({ projection: 'fake' }));
      const { rows } = await pipeline.owner.query(
        `SELECT phase, halted, error, trips_per_second, coalesce(lease_expires_at > now() + interval '50 min', false) AS leased
         FROM projection.replay`,
      );
      return rows;
    }
    const asClaimed = { phase: 'filling', halted: null, error: null, trips_per_second: null, leased: true };

    it('moves no phase, and gives back no lease but its own', async () => {
      expect(await replaced(async () => {})).toEqual([asClaimed]);
    });

    it('renews no lease', async () => {
      expect(await replaced(async () => await delay(LONGER_THAN_TWO_RENEWALS_MILLISECONDS))).toEqual([asClaimed]);
    });

    it('halts nothing when its work fails', async () => {
      const fail = async () => {
        throw new Error('no such figure');
      };
      expect(await replaced(fail)).toEqual([asClaimed]);
    });
  });

  it('is promoted only where the live generation is, however far that goes on meanwhile', async () => {
    const { projection } = positionsProjection('fake', 1, 100);
    await prepareGenerations(pipeline.projector, [projection]);
    await grow(500);
    await advance(pipeline.projector, [projection], 10);
    const worker = workerOf(pipeline.projector, [projection]);
    const id = await worker.start({ projection: 'fake' });
    await worker.run(id);
    await promoteReplay(pipeline.operator, id, { acceptDifferences: false });
    // The promotion finds itself caught up, waits for this, and is then further behind than its own transaction goes.
    const goOn = `INSERT INTO read.fake_1 SELECT generate_series(11, 500);
      UPDATE projection.generation SET checkpoint = 500 WHERE live`;
    const waiting = async () => await lockWaiters(pipeline.owner, 1);
    await whileLocked(pipeline.owner, goOn, waiting, async () => await worker.run(id));
    expect(await worker.show(id)).toMatchObject({ phase: 'promoted', live: true });
    const { rows } = await pipeline.owner.query<{ position: number }>('SELECT position FROM read.fake ORDER BY 1');
    expect(rows.map(({ position }) => position)).toEqual(upTo(500));
  });

  it('is dropped by retention once what it replaced is so many days out of use', async () => {
    const { projection } = positionsProjection('fake');
    await prepareGenerations(pipeline.projector, [projection]);
    await grow(4);
    await projectAll(pipeline, [projection]);
    const worker = workerOf(pipeline.projector, [projection]);
    const id = await worker.start({ projection: 'fake', promote: true });
    await worker.run(id);
    await pipeline.owner.query(
      `UPDATE projection.generation SET retired_at = now() - interval '71 hours' WHERE NOT live`,
    );
    expect(await findExpired(pipeline.projector, 2)).toEqual([id]);
    expect(await findExpired(pipeline.projector, 3)).toEqual([]);
    const back = await rollBack(pipeline.operator, [projection], { projection: 'fake', requestedBy: 'test' });
    await worker.run(back.id);
    // What was live until now is out of use since this moment.
    expect(await findExpired(pipeline.projector, 2)).toEqual([]);
  });

  it('that leaves out the days before a cutoff keeps the trip at its midnight', async () => {
    const kept = PROJECTIONS.filter(({ keepsFrom }) => keepsFrom !== undefined);
    await prepareGenerations(pipeline.projector, kept);
    const midnight = Date.parse('2025-01-13T00:00:00Z');
    await deliver(pipeline.ingest, [
      tripProcessed({ source_trip_id: 'before', trip_start_time: midnight - 1 }),
      tripProcessed({ source_trip_id: 'at', trip_start_time: midnight }),
    ]);
    await projectAll(pipeline, kept);
    const worker = workerOf(pipeline.projector, inSmallChunks(kept, 1));
    await worker.run(await worker.start({ projection: 'all', cutoff: '2025-01-13' }));
    for (const { name, rows } of kept) {
      const { rows: days } = await pipeline.owner.query(`SELECT day FROM (${rows(`read.${name}_2`)}) row`);
      expect(days, name).toEqual([{ day: '2025-01-13' }]);
    }
  });
});
