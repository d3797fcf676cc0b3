import { type Pool, SQLSTATES, sqlState } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import type { Projection } from '@milepost/projections/engine';
import {
  cancelReplay,
  dropReplay,
  pauseReplay,
  promoteReplay,
  ReplayRefusedError,
  resumeReplay,
  startReplay,
  throttleReplay,
} from '@milepost/replay';
import { beforeEach, describe, expect, it } from 'vitest';
import { positionsProjection, projectionNamed } from '../../support/fold.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { deliverAndProject } from '../../support/pipeline.ts';
import { describeWithOwnPipeline } from '../../support/pipeline-suites.ts';
import { tripProcessed } from '../../support/records.ts';
import { FAST, orphanTables, replaysOf, runUntil, type Worker } from '../../support/replay.ts';

describeWithOwnPipeline('requests for a replay', (pipeline) => {
  let worker: Worker;
  beforeEach(async () => {
    worker = replaysOf(pipeline, PROJECTIONS);
    await deliverAndProject(pipeline, [tripProcessed(), tripProcessed({ source_trip_id: 'trip-2' })]);
  });

  const promoteTrips = async () => await worker.startAndRun({ projection: 'trips', promote: true });
  const startRollBack = async () => await worker.startRollBack('trips');
  const notPromoted = { phase: 'waiting', error: expect.stringContaining('Not promoted') };
  const loseLiveRow = async () =>
    await pipeline.owner.query('DELETE FROM trips_1 WHERE ctid = (SELECT min(ctid) FROM trips_1)');

  it('take effect during verification, so that the replay is promoted instead of waiting', async () => {
    const { owner, operator } = pipeline;
    const id = await worker.start({ projection: 'trips' });
    const promote = async () => {
      // Before the verification, a different session may be waiting for a lock, so the phase is checked first.
      await expect.poll(() => worker.show(id)).toMatchObject({ phase: 'verifying', promote: false });
      await lockWaiters(owner, 1);
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
    const { owner, operator } = pipeline;
    const id = await worker.startAndRun({ projection: 'trips' });
    await owner.query('CREATE VIEW public.dependent AS SELECT * FROM trips_2');
    await request(operator, id);
    const error = expect.stringContaining('depend');
    expect(await worker.outcome(id)).toMatchObject({ phase, halted: 'failed', error });
    await owner.query('DROP VIEW public.dependent');
    await resumeReplay(operator, id);
    expect(await worker.outcome(id)).toMatchObject({ phase: end, halted: null, error: null });
    expect(await orphanTables(pipeline)).toEqual([]);
  });

  it('pause a replay without hiding that it has failed', async () => {
    const { operator, owner } = pipeline;
    const id = await worker.start({ projection: 'trips' });
    await owner.query("UPDATE replay SET halted = 'failed', error = 'no such figure'");
    await pauseReplay(operator, id);
    expect(await worker.show(id)).toMatchObject({ halted: 'failed', error: 'no such figure' });
    await resumeReplay(operator, id);
    await pauseReplay(operator, id);
    expect(await worker.show(id)).toMatchObject({ halted: 'paused', error: null });
  });

  it("keep the replay's throttle and error if they are repeated, unless the replay is waiting", async () => {
    const { operator, owner } = pipeline;
    const request = { projection: 'trips', throttle: 100, promote: true } as const;
    const id = await worker.start(request);
    await owner.query("UPDATE replay SET halted = 'failed', error = 'no such figure'");
    expect(await worker.start({ ...request, throttle: 'auto' })).toBe(id);
    expect(await worker.show(id)).toMatchObject({ throttle: 100, halted: 'failed', error: 'no such figure' });
    await resumeReplay(operator, id);
    await loseLiveRow();
    expect(await worker.outcome(id)).toMatchObject(notPromoted);
    expect(await worker.start({ ...request, throttle: 'auto' })).toBe(id);
    expect(await worker.show(id)).toMatchObject({ phase: 'catching_up', throttle: 'auto', error: null });
  });

  it('to resume keep the reason why a waiting replay was not promoted', async () => {
    const { operator } = pipeline;
    const id = await worker.start({ projection: 'trips', promote: true });
    await loseLiveRow();
    await worker.run(id);
    await resumeReplay(operator, id);
    expect(await worker.show(id)).toMatchObject(notPromoted);
    await promoteReplay(operator, id, { acceptDifferences: true });
    expect(await worker.show(id)).toMatchObject({ phase: 'promoting', error: null });
  });

  it('to promote keep an earlier acceptance of differences', async () => {
    const { operator } = pipeline;
    const id = await worker.start({ projection: 'trips' });
    await promoteReplay(operator, id, { acceptDifferences: true });
    await promoteReplay(operator, id, { acceptDifferences: false });
    expect(await worker.show(id)).toMatchObject({ promote: true, accept_differences: true });
    await loseLiveRow();
    expect(await worker.outcome(id)).toMatchObject({ phase: 'promoted', verification: { expected: false } });
  });

  it("are allowed or refused depending on the replay's phase", async () => {
    const { operator, owner } = pipeline;
    const id = await worker.start({ projection: 'trips' });
    const controls = {
      pause: pauseReplay,
      resume: resumeReplay,
      throttle: async (pool: Pool) => await throttleReplay(pool, id, 100),
      promote: async (pool: Pool) => await promoteReplay(pool, id, { acceptDifferences: false }),
      cancel: cancelReplay,
      drop: dropReplay,
    };
    /** For each control, returns the code of its refusal or, if it is accepted, the replay's resulting state. */
    const outcomes = async (phase: string) => {
      const found: Record<string, string> = {};
      for (const [name, control] of Object.entries(controls)) {
        const values = `phase = '${phase}', halted = NULL, error = NULL, promote = false`;
        await owner.query(`UPDATE replay SET ${values} WHERE replay_id = ${id}`);
        const refusal: unknown = await control(operator, id).catch((error: unknown) => error);
        const { phase: after, halted } = await worker.show(id);
        found[name] = refusal instanceof ReplayRefusedError ? refusal.refusal.code : (halted ?? after);
      }
      return found;
    };
    const running = (phase: string) => ({
      ...{ pause: 'paused', resume: phase, throttle: phase, promote: phase },
      ...{ cancel: 'cancelling', drop: 'under_way' },
    });
    for (const phase of ['filling', 'indexing', 'catching_up', 'verifying', 'promoting'])
      expect(await outcomes(phase), phase).toEqual(running(phase));
    expect(await outcomes('waiting')).toEqual({
      ...running('waiting'),
      ...{ pause: 'waits_for_promotion', promote: 'promoting', drop: 'dropping' },
    });
    const refused = { pause: 'ended', resume: 'ended', throttle: 'ended', promote: 'ended', cancel: 'ended' };
    expect(await outcomes('promoted')).toEqual({ ...refused, drop: 'dropping' });
    expect(await outcomes('cancelled')).toEqual({ ...refused, cancel: 'cancelled', drop: 'cancelled' });
    expect(await outcomes('dropped')).toEqual({ ...refused, drop: 'dropped' });
    expect(await outcomes('cancelling')).toEqual({
      ...refused,
      ...{ resume: 'cancelling', cancel: 'cancelling', drop: 'under_way' },
    });
    expect(await outcomes('dropping')).toEqual({ ...refused, resume: 'dropping', drop: 'dropping' });
  });

  it('apply to the phase that the replay has reached in the meantime', async () => {
    const { owner, operator } = pipeline;
    const id = await worker.start({ projection: 'trips' });
    // The request has read the earlier phase and is waiting until the worker has changed the row.
    const finish = `UPDATE replay SET phase = 'waiting' WHERE replay_id = ${id}`;
    const promote = async () => await promoteReplay(operator, id, { acceptDifferences: false });
    await whileLocked(owner, finish, 1, promote);
    expect(await worker.show(id)).toMatchObject({ phase: 'promoting' });
  });

  it('for a different cutoff are refused while a replay is running', async () => {
    const id = await worker.start({ projection: 'trips', cutoff: '2025-01-13' });
    expect(await worker.start({ projection: 'trips', cutoff: '2025-01-13' })).toBe(id);
    for (const cutoff of ['2025-01-14', null] as const) {
      await expect(worker.start({ projection: 'trips', cutoff })).rejects.toMatchObject({
        refusal: { code: 'in_the_way', id },
      });
    }
  });

  it("without a cutoff keep the live generation's cutoff, whatever the cutoff of a cancelled replay was", async () => {
    const cutoffOfCancelled = async (cutoff?: `${number}-${number}-${number}`) => {
      const id = await worker.start({ projection: 'trips', ...(cutoff === undefined ? {} : { cutoff }) });
      const [built] = await pipeline.rows(
        `SELECT cutoff::text FROM generation JOIN replay_member USING (projection, generation) WHERE replay_id = ${id}`,
      );
      await worker.cancel(id);
      return built?.['cutoff'];
    };
    expect(await cutoffOfCancelled('2025-01-14')).toBe('2025-01-14');
    expect(await cutoffOfCancelled()).toBeNull();
    const request = { projection: 'trips', cutoff: '2025-01-13', promote: true, acceptDifferences: true } as const;
    await worker.startAndRun(request);
    expect(await cutoffOfCancelled('2025-01-14')).toBe('2025-01-14');
    expect(await cutoffOfCancelled()).toBe('2025-01-13');
  });

  it('to roll back are refused if the replaced generation has been dropped', async () => {
    await worker.drop(await promoteTrips());
    await expect(startRollBack()).rejects.toMatchObject({
      refusal: { code: 'no_earlier_generation', projection: 'trips' },
    });
  });

  it('to roll back restore the generation replaced by the last promotion, even if the clock was set back', async () => {
    for (const _ of ['generation 2', 'generation 3']) await promoteTrips();
    const first = await startRollBack();
    expect(await worker.outcome(first)).toMatchObject({ generations: [{ generation: 2 }], phase: 'promoted' });
    await pipeline.rows("UPDATE replay SET finished_at = now() - interval '1 day' WHERE replay_id = $1", first);
    expect(await worker.show(await startRollBack())).toMatchObject({ generations: [{ generation: 3 }] });
  });

  it('to promote and to roll back clear the failures of the replaced and the restored generation', async () => {
    const fail = async () =>
      await pipeline.owner.query(
        "UPDATE generation SET failed_position = 1, failure = 'planted' WHERE projection = 'trips' AND generation = 1",
      );
    const failures = async () =>
      await pipeline.rows(
        "SELECT live, failed_position, failure FROM generation WHERE projection = 'trips' ORDER BY generation",
      );
    const none = { failed_position: null, failure: null };
    await fail();
    await promoteTrips();
    expect(await failures()).toEqual([
      { live: false, ...none },
      { live: true, ...none },
    ]);
    await fail();
    await worker.run(await startRollBack());
    expect(await failures()).toEqual([
      { live: true, ...none },
      { live: false, ...none },
    ]);
  });

  it('to drop a replay keep the replaced generation while a rollback restores it', async () => {
    const promoted = await promoteTrips();
    const id = await startRollBack();
    await worker.drop(promoted);
    expect(await worker.outcome(id)).toMatchObject({ phase: 'promoted', generations: [{ generation: 1 }] });
  });

  it('are accepted between the attempts of a drop that is waiting for a reader of the table', async () => {
    const { operator, owner } = pipeline;
    const id = await promoteTrips();
    await dropReplay(operator, id);
    const refusals: (string | null)[] = [];
    const work = async () => await worker.run(id, { onRetry: (error) => refusals.push(sqlState(error)) });
    const start = async () => {
      await expect.poll(() => refusals).toContain(SQLSTATES.lock_not_available);
      await worker.start({ projection: 'drivers' });
    };
    await whileLocked(owner, 'SELECT FROM trips_1', start, work);
    expect(await worker.show(id)).toMatchObject({ phase: 'promoted', can_be_rolled_back: false });
    expect(await orphanTables(pipeline)).toEqual([]);
  });

  it('to drop a rollback drop the generation that it replaced, even one built by a replay that has ended', async () => {
    await promoteTrips();
    const id = await startRollBack();
    await worker.run(id);
    await worker.drop(id);
    const generations = await pipeline.rows(
      "SELECT generation, live, dropped_at IS NULL AS kept FROM generation WHERE projection = 'trips' ORDER BY 1",
    );
    expect(generations).toEqual([
      { generation: 1, live: true, kept: true },
      { generation: 2, live: false, kept: false },
    ]);
    expect(await orphanTables(pipeline)).toEqual([]);
  });

  it('to roll back can be cancelled, and the replaced generation is kept for the next request', async () => {
    await promoteTrips();
    const cancelled = await startRollBack();
    await worker.cancel(cancelled);
    expect(await worker.show(cancelled)).toMatchObject({ phase: 'cancelled', live: false });
    const restored = { phase: 'promoted', generations: [{ generation: 1 }] };
    expect(await worker.outcome(await startRollBack())).toMatchObject(restored);
  });

  const { version } = projectionNamed('trips');
  const others = PROJECTIONS.filter(({ name }) => name !== 'trips');

  describe.each<[string, readonly Projection[], string]>([
    ['with another version', [...others, { ...projectionNamed('trips'), version: version + 1 }], `${version + 1}`],
    ['without the projection', others, 'none'],
  ])('by a release %s', (_name, projections, own) => {
    let other: Worker;
    let id = 0;
    beforeEach(async () => {
      other = replaysOf(pipeline, projections);
      id = await worker.start({ projection: 'trips' });
      await runUntil(worker, id, 'indexing');
    });

    /** Returns the stored chunks. Their boundaries may name drivers. */
    const chunks = async () => await pipeline.rows('SELECT FROM replay_chunk');

    it('halt the replay and name both versions, and it can be completed by the release that started it', async () => {
      expect(await other.outcome(id)).toMatchObject({
        ...{ phase: 'indexing', halted: 'failed', position: 2, target: 2, next: ['resume', 'throttle', 'cancel'] },
        error: `Generation 2 of trips belongs to version ${version}, but this program has version ${own}: run the release that started the replay, or cancel the replay.`,
      });
      await resumeReplay(pipeline.operator, id);
      expect(await worker.outcome(id)).toMatchObject({ phase: 'waiting', error: null, verification: { equal: true } });
      expect(await chunks()).toEqual([]);
    });

    it('to cancel drop the table and the chunks of the replay', async () => {
      expect(await chunks()).not.toEqual([]);
      await other.cancel(id);
      expect(await other.show(id)).toMatchObject({ phase: 'cancelled', error: null, next: [] });
      expect(await orphanTables(pipeline)).toEqual([]);
      expect(await chunks()).toEqual([]);
    });
  });

  it('for all projections fill scratch tables that survive a crash of PostgreSQL', async () => {
    await runUntil(worker, await worker.start({ projection: 'all' }), 'indexing');
    expect(await orphanTables(pipeline)).not.toEqual([]);
    expect(await pipeline.rows("SELECT relname FROM pg_class WHERE relpersistence = 'u'")).toEqual([]);
  });

  it('are refused if a projection does not yet have a read table, and nothing is stored', async () => {
    const { projection: fresh } = positionsProjection('fresh', 1, 100);
    const request = { ...FAST, projection: 'trips,fresh' };
    await expect(startReplay(pipeline.operator, [...PROJECTIONS, fresh], request)).rejects.toMatchObject({
      refusal: { code: 'no_read_table', projection: 'fresh' },
    });
    expect(await pipeline.rows('SELECT FROM replay')).toEqual([]);
    expect(await pipeline.rows('SELECT FROM generation WHERE NOT live')).toEqual([]);
  });
});
