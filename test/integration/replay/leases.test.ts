import { setTimeout as delay } from 'node:timers/promises';
import { inTransaction } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { type FillStage, prepareGenerations } from '@milepost/projections/engine';
import { findExpired, pauseReplay, promoteReplay, resumeReplay, rollBack } from '@milepost/replay';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { advance } from '../../../packages/core/projections/engine/advance.ts';
import { ReplayTakenError } from '../../../packages/core/replay/errors.ts';
import {
  claimReplay,
  haltReplay,
  isTaken,
  releaseLease,
  renewLease,
  setPhase,
} from '../../../packages/core/replay/lease.ts';
import { findReplay } from '../../../packages/core/replay/replay.ts';
import { positionsProjection } from '../../support/fold.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { deliver, openPipeline, type Pipeline, projectAll } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { inSmallChunks, watchedChunks, workerOf } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const LONGER_THAN_TWO_RENEWALS_MILLISECONDS = 1_200;

describeWithPostgres('a replay under a lease', () => {
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

  describe('that another worker claims in the middle of a chunk', () => {
    /** Lets another worker claim the replay for an hour, and then runs `then` in the first worker's chunk. */
    async function replaced(then: () => Promise<void>) {
      const { projection } = positionsProjection('fake', 1, 100);
      await prepareGenerations(pipeline.projector, [projection]);
      await grow(4);
      await projectAll(pipeline, [projection]);
      const watched = watchedChunks(projection, async () => {
        await pipeline.owner.query(`UPDATE replay SET epoch = epoch + 1, lease_expires_at = now() + interval '1 hour'`);
        await then();
      });
      const worker = workerOf(pipeline.projector, [watched]);
      await worker.run(await worker.start({ projection: 'fake' }));
      const { rows } = await pipeline.owner.query(
        `SELECT phase, halted, error, trips_per_second, coalesce(lease_expires_at > now() + interval '50 min', false) AS leased
         FROM replay`,
      );
      return rows;
    }
    const asClaimed = { phase: 'filling', halted: null, error: null, trips_per_second: null, leased: true };

    it('lets the first worker change no phase and release no lease', async () => {
      expect(await replaced(async () => {})).toEqual([asClaimed]);
    });

    it('renews no lease', async () => {
      expect(await replaced(async () => await delay(LONGER_THAN_TWO_RENEWALS_MILLISECONDS))).toEqual([asClaimed]);
    });

    it('does not halt when the first worker fails', async () => {
      const fail = async () => {
        throw new Error('no such figure');
      };
      expect(await replaced(fail)).toEqual([asClaimed]);
    });
  });

  it('belongs to one worker until the lease expires or that worker releases it', async () => {
    const { projection } = positionsProjection('fake', 1, 100);
    const { projector, owner } = pipeline;
    await prepareGenerations(projector, [projection]);
    const id = await workerOf(projector, [projection]).start({ projection: 'fake' });
    const first = await claimReplay(projector, id);
    expect(first).toBeTypeOf('number');
    const [held = 0, next = 0] = [first ?? 0, (first ?? 0) + 1];
    expect(await claimReplay(projector, id)).toBeNull();
    const rates = { current: null, slowest: null, fastest: null, throttledBy: null };
    expect(await renewLease(projector, id, held, rates)).toMatchObject({ halted: null });
    await owner.query(`UPDATE replay SET lease_expires_at = now() - interval '1 s'`);
    expect(await claimReplay(projector, id)).toBe(next);
    expect(await renewLease(projector, id, held, rates)).toBeNull();
    expect([await isTaken(projector, id, held), await isTaken(projector, id, next)]).toEqual([true, false]);
    await releaseLease(projector, id, held);
    expect(await claimReplay(projector, id)).toBeNull();
    await releaseLease(projector, id, next);
    expect(await claimReplay(projector, id)).toBe(next + 1);
  });

  it('lets only the worker with the newest claim change the phase or halt the replay, and only from the present phase', async () => {
    const { projection } = positionsProjection('fake', 1, 100);
    const { projector, owner } = pipeline;
    await prepareGenerations(projector, [projection]);
    const id = await workerOf(projector, [projection]).start({ projection: 'fake' });
    const earlier = (await claimReplay(projector, id)) ?? 0;
    await owner.query(`UPDATE replay SET lease_expires_at = now() - interval '1 s'`);
    const newest = (await claimReplay(projector, id)) ?? 0;
    const filling = await findReplay(projector, id);
    if (filling === null) throw new Error('The replay is missing.');
    const toIndexing = async (epoch: number) =>
      await inTransaction(projector, async (transaction) => await setPhase(transaction, filling, epoch, 'indexing'));
    await expect(toIndexing(earlier)).rejects.toThrow(ReplayTakenError);
    await haltReplay(projector, filling, earlier, 'no such figure');
    expect(await findReplay(projector, id)).toMatchObject({ phase: 'filling', halted: null, error: null });
    await toIndexing(newest);
    expect(await findReplay(projector, id)).toMatchObject({ phase: 'indexing' });
    await expect(toIndexing(newest)).rejects.toThrow(ReplayTakenError);
    await haltReplay(projector, filling, newest, 'no such figure');
    expect(await findReplay(projector, id)).toMatchObject({ phase: 'indexing', halted: null, error: null });
  });

  it('keeps the slowest and the fastest rate of its worker, from which the remaining time is estimated', async () => {
    const { projection } = positionsProjection('fake', 1, 100);
    const { projector, owner } = pipeline;
    await prepareGenerations(projector, [projection]);
    const id = await workerOf(projector, [projection]).start({ projection: 'fake' });
    const epoch = (await claimReplay(projector, id)) ?? 0;
    await renewLease(projector, id, epoch, { current: 20, slowest: 10, fastest: 40, throttledBy: null });
    const { rows } = await owner.query(
      `SELECT trips_per_second AS current, slowest_trips_per_second AS slowest, fastest_trips_per_second AS fastest
       FROM replay`,
    );
    expect(rows).toEqual([{ current: 20, slowest: 10, fastest: 40 }]);
  });

  it('can be renewed while its worker plans the chunks of a large log', async () => {
    const { projection } = positionsProjection('fake', 1, 100);
    const { projector, owner } = pipeline;
    const canBeLocked: boolean[] = [];
    const stages = projection.fill.stages.map(
      (stage): FillStage => ({
        ...stage,
        plan: async (...values) => {
          const locking = owner.query('SELECT FROM replay FOR UPDATE NOWAIT');
          canBeLocked.push(
            await locking.then(
              () => true,
              () => false,
            ),
          );
          return await stage.plan(...values);
        },
      }),
    );
    await prepareGenerations(projector, [projection]);
    await grow(4);
    await projectAll(pipeline, [projection]);
    const worker = workerOf(projector, [{ ...projection, fill: { ...projection.fill, stages } }]);
    await worker.run(await worker.start({ projection: 'fake' }));
    expect(canBeLocked).toEqual(stages.map(() => true));
  });

  it('can be claimed by no worker while it is paused, and its worker cannot change the phase', async () => {
    const { projection } = positionsProjection('fake', 1, 100);
    const { projector, operator } = pipeline;
    await prepareGenerations(projector, [projection]);
    const id = await workerOf(projector, [projection]).start({ projection: 'fake' });
    const epoch = (await claimReplay(projector, id)) ?? 0;
    const filling = await findReplay(projector, id);
    if (filling === null) throw new Error('The replay is missing.');
    const toIndexing = async () =>
      await inTransaction(projector, async (transaction) => await setPhase(transaction, filling, epoch, 'indexing'));
    await pauseReplay(operator, id);
    await expect(toIndexing()).rejects.toThrow(ReplayTakenError);
    await releaseLease(projector, id, epoch);
    expect(await claimReplay(projector, id)).toBeNull();
    await resumeReplay(operator, id);
    await toIndexing();
    expect(await findReplay(projector, id)).toMatchObject({ phase: 'indexing' });
  });

  it('is not promoted after a pause, even if the promotion was already waiting for a lock', async () => {
    const { projection } = positionsProjection('fake', 1, 100);
    const { projector, operator, owner } = pipeline;
    await prepareGenerations(projector, [projection]);
    await grow(4);
    await projectAll(pipeline, [projection]);
    const worker = workerOf(projector, [projection]);
    const id = await worker.start({ projection: 'fake' });
    await worker.run(id);
    await promoteReplay(operator, id, { acceptDifferences: false });
    const pause = async () => {
      await lockWaiters(owner, 1);
      await pauseReplay(operator, id);
    };
    await whileLocked(owner, 'SELECT FROM generation FOR UPDATE', pause, async () => await worker.run(id));
    expect(await worker.show(id)).toMatchObject({ phase: 'promoting', halted: 'paused', live: false });
    await resumeReplay(operator, id);
    await worker.run(id);
    expect(await worker.show(id)).toMatchObject({ phase: 'promoted', live: true });
  });

  it('is promoted at the position of the live generation, however far that generation advances in the meantime', async () => {
    const { projection } = positionsProjection('fake', 1, 100);
    await prepareGenerations(pipeline.projector, [projection]);
    await grow(500);
    await advance(pipeline.projector, [projection], 10);
    const worker = workerOf(pipeline.projector, [projection]);
    const id = await worker.start({ projection: 'fake' });
    await worker.run(id);
    await promoteReplay(pipeline.operator, id, { acceptDifferences: false });
    // The replay has caught up, and its promotion waits for this lock. When the promotion gets the lock, it lags by
    // more positions than its transaction may apply.
    const goOn = `INSERT INTO fake_1 SELECT generate_series(11, 500);
      UPDATE generation SET checkpoint = 500 WHERE live`;
    const waiting = async () => await lockWaiters(pipeline.owner, 1);
    await whileLocked(pipeline.owner, goOn, waiting, async () => await worker.run(id));
    expect(await worker.show(id)).toMatchObject({ phase: 'promoted', live: true });
    const { rows } = await pipeline.owner.query<{ position: number }>('SELECT position FROM fake ORDER BY 1');
    expect(rows.map(({ position }) => position)).toEqual(upTo(500));
  });

  it('is dropped by retention after the replaced generations were unused for the set number of days', async () => {
    const { projection } = positionsProjection('fake');
    await prepareGenerations(pipeline.projector, [projection]);
    await grow(4);
    await projectAll(pipeline, [projection]);
    const worker = workerOf(pipeline.projector, [projection]);
    const id = await worker.start({ projection: 'fake', promote: true });
    await worker.run(id);
    await pipeline.owner.query(`UPDATE generation SET retired_at = now() - interval '71 hours' WHERE NOT live`);
    expect(await findExpired(pipeline.projector, 2)).toEqual([id]);
    expect(await findExpired(pipeline.projector, 3)).toEqual([]);
    const back = await rollBack(pipeline.operator, [projection], { projection: 'fake', requestedBy: 'test' });
    await worker.run(back.id);
    // The rollback has only just replaced the generation, so it has been unused for less than two days.
    expect(await findExpired(pipeline.projector, 2)).toEqual([]);
  });

  it('with a cutoff keeps a trip that starts at midnight on the cutoff date', async () => {
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
      const { rows: days } = await pipeline.owner.query(`SELECT day FROM (${rows(`${name}_2`)}) row`);
      expect(days, name).toEqual([{ day: '2025-01-13' }]);
    }
  });
});
