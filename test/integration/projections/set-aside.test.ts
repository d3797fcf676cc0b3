import { runAudit } from '@milepost/audit';
import { readHeadPosition } from '@milepost/event-log/head';
import { PROJECTIONS } from '@milepost/projections';
import { ProjectionFailedError } from '@milepost/projections/engine';
import { PositionRefusedError, putBack, setAside } from '@milepost/replay';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { untilTestEnds } from '../../support/fixtures.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { deliver, deliverAndProject, openPipeline, type Pipeline, projectAll } from '../../support/pipeline.ts';
import { describeWithOwnPipeline } from '../../support/pipeline-suites.ts';
import { startProjector } from '../../support/projector.ts';
import { drawnSequence, textsOf } from '../../support/random-records.ts';
import { DEFAULT_TRIP_START, driverProfile, tripDeleted, tripProcessed } from '../../support/records.ts';
import { inSmallChunks, type Worker, workerOf } from '../../support/replay.ts';
import { tableTexts } from '../../support/tables.ts';

const DAY = 86_400_000;
const SEQUENCES = 5;
const REASON = 'The fold cannot sum it.';

const trip = (source_trip_id: string, overrides: Parameters<typeof tripProcessed>[0] = {}) =>
  tripProcessed({ source_trip_id, tracking_id: null, ...overrides });

describeWithOwnPipeline('a stored event that is set aside', (pipeline) => {
  let worker: Worker;
  beforeEach(() => {
    worker = workerOf(pipeline.projector, inSmallChunks(PROJECTIONS, 20));
  });

  const faults = async () => (await runAudit(pipeline.projector, PROJECTIONS)).report.faults;
  const refusal = async (change: Promise<unknown>) => {
    const error = await change.catch((thrown: unknown) => thrown);
    return error instanceof PositionRefusedError ? error.refusal : error;
  };
  const contents = async ({ owner }: Pick<Pipeline, 'owner'> = pipeline) =>
    await Promise.all(PROJECTIONS.map(async ({ name }) => [name, await tableTexts(owner, name)]));
  const plantFault = async (position: number, distance = 'NaN') =>
    await pipeline.owner.query('UPDATE stored_event SET distance_miles = $2 WHERE position = $1', [position, distance]);
  const logTexts = async () => [
    ...(await tableTexts(pipeline.owner, 'stored_event')),
    ...(await tableTexts(pipeline.owner, 'trip_body')),
  ];

  /** Replays everything and promotes it. Returns how the replayed tables compare with the live tables. */
  async function replayAll() {
    const id = await worker.startAndRun({ projection: 'all', promote: true, acceptDifferences: true });
    const { phase, verification } = await worker.show(id);
    expect(phase).toBe('promoted');
    return verification;
  }

  it('lets the projector continue with the other fleets within a second, and does not change the log', async () => {
    await deliver(pipeline.ingest, [trip('first'), trip('faulty'), trip('other', { fleet_id: 'other' })]);
    await plantFault(2);
    const before = await logTexts();
    const applied = Promise.withResolvers<number>();
    const projector = startProjector(pipeline.projector, PROJECTIONS, {
      pollMilliseconds: 60_000,
      onAdvance: ({ through }) => {
        if (through === 3) applied.resolve(performance.now());
      },
    });
    try {
      await expect.poll(() => projector.failures).toMatchObject([{ position: 2 }]);
      const failures = async () => await pipeline.rows('SELECT FROM generation WHERE failure IS NOT NULL');
      await expect.poll(failures).toHaveLength(1);
      const started = performance.now();
      expect(await setAside(pipeline.operator, 2, REASON)).toEqual({ needs_replay: false });
      // Without the command, the next attempt would be made ten seconds after the failure.
      expect((await applied.promise) - started).toBeLessThan(5_000);
      expect(await failures()).toEqual([]);
    } finally {
      await projector.stop();
    }
    expect(await pipeline.rows('SELECT fleet_id, position FROM trips ORDER BY position')).toEqual([
      { fleet_id: 'acme', position: 1 },
      { fleet_id: 'other', position: 3 },
    ]);
    expect(await logTexts()).toEqual(before);
    expect(await faults()).toEqual([]);
  });

  it('produces the same rows in folds, replays and audits, for any records', async () => {
    await fc.assert(
      fc.asyncProperty(drawnSequence, fc.integer({ min: 2, max: 5 }), async ({ deliveries, advanceSizes }, every) => {
        const first = (await readHeadPosition(pipeline.projector)) + 1;
        const texts = textsOf(deliveries, String(first)).map(({ text }) => text);
        const { headPosition } = await deliver(pipeline.ingest, texts, `source ${first % 3}`);
        for (let position = first; position <= headPosition; position += every) {
          await pipeline.owner.query('INSERT INTO set_aside (position, reason) VALUES ($1, $2)', [position, REASON]);
        }
        await projectAll(pipeline, PROJECTIONS, () => advanceSizes[0] ?? 1);
        expect(await faults()).toEqual([]);
        const live = await contents();
        expect(await replayAll()).toMatchObject({ equal: true });
        expect(await contents()).toEqual(live);
      }),
      { numRuns: SEQUENCES },
    );
  });

  it("hides its content like an erasure, and keeps its driver's place", async () => {
    await deliver(pipeline.ingest, [
      trip('one', { driver_id: 'a' }),
      trip('two', { driver_id: 'b' }),
      driverProfile({ driver_id: 'b', first_name: 'Ada' }),
      driverProfile({ driver_id: 'b', revision: 2, first_name: 'Ada B.' }),
      trip('one', { driver_id: 'a', revision: 2 }),
      trip('three', { driver_id: 'c' }),
    ]);
    for (const position of [2, 4, 5]) await setAside(pipeline.operator, position, REASON);
    await projectAll(pipeline);
    const shown = async () => await pipeline.rows('SELECT position FROM trips');
    expect(await shown()).toEqual([{ position: 6 }]);
    const drivers = await pipeline.rows(
      `SELECT driver_id, profile::json ->> 'first_name' AS first_name, profile::json ->> 'first_travel_date' AS travelled
       FROM drivers ORDER BY ordinal`,
    );
    expect(drivers).toEqual([
      { driver_id: 'a', first_name: null, travelled: null },
      { driver_id: 'b', first_name: null, travelled: null },
      { driver_id: 'c', first_name: null, travelled: expect.any(String) },
    ]);
    await deliverAndProject(pipeline, [
      trip('two', { driver_id: 'b', revision: 2 }),
      tripDeleted({ source_trip_id: 'three' }),
    ]);
    expect(await shown()).toEqual([{ position: 7 }]);
    expect(await faults()).toEqual([]);
  });

  it('is shown again after it has been put back and all projections have been replayed', async () => {
    const records = [
      driverProfile(),
      trip('one'),
      trip('two', { driver_id: 'driver-2' }),
      trip('three', { trip_start_time: DEFAULT_TRIP_START + DAY }),
      driverProfile({ revision: 2, first_name: 'Grace' }),
    ];
    const other = untilTestEnds(await openPipeline());
    await deliverAndProject(other, records);
    worker = workerOf(pipeline.projector, inSmallChunks(PROJECTIONS, 3));
    await deliver(pipeline.ingest, records);
    await plantFault(2);
    await expect(projectAll(pipeline)).rejects.toBeInstanceOf(ProjectionFailedError);
    for (const position of [2, 3, 5]) await setAside(pipeline.operator, position, REASON);
    await projectAll(pipeline);
    await plantFault(2, String(tripProcessed().distance_miles));
    for (const position of [2, 3, 5]) {
      expect(await putBack(pipeline.operator, position)).toEqual({ needs_replay: true });
    }
    expect(await faults()).not.toEqual([]);
    expect(await replayAll()).toMatchObject({ equal: false });
    expect(await faults()).toEqual([]);
    expect(await contents()).toEqual(await contents(other));
  });

  it('is refused if the read tables would then mix rows with and without the event', async () => {
    await deliverAndProject(pipeline, [trip('one'), trip('two')]);
    expect(await refusal(setAside(pipeline.operator, 2, REASON))).toEqual({ code: 'applied', checkpoint: 2 });
    expect(await refusal(setAside(pipeline.operator, 3, REASON))).toEqual({ code: 'not_stored', head: 2 });
    expect(await refusal(putBack(pipeline.operator, 2))).toEqual({ code: 'not_set_aside' });
    // The projector now waits for a replay and applies nothing, so no rows can be mixed.
    await pipeline.owner.query("UPDATE generation SET failure = 'another version' WHERE projection = 'trips'");
    expect(await setAside(pipeline.operator, 2, REASON)).toEqual({ needs_replay: true });
    expect(await refusal(setAside(pipeline.operator, 2, REASON))).toEqual({ code: 'already_set_aside' });
    const id = await worker.start({ projection: 'all' });
    expect(await refusal(putBack(pipeline.operator, 2))).toEqual({ code: 'replayed', id });
    await worker.cancel(id);
    expect(await putBack(pipeline.operator, 2)).toEqual({ needs_replay: true });
  });

  it('is refused after a hundred others', async () => {
    await deliver(pipeline.ingest, [trip('one'), trip('two')]);
    await setAside(pipeline.operator, 1, REASON);
    await pipeline.owner.query('INSERT INTO set_aside SELECT n, $1 FROM generate_series(3, 101) n', [REASON]);
    expect(await refusal(setAside(pipeline.operator, 2, REASON))).toEqual({ code: 'too_many', most: 100 });
  });

  it('waits for the batch that is being applied, which may include it', async () => {
    await deliver(pipeline.ingest, [trip('one')]);
    const changed = Promise.withResolvers<void>();
    const outcome = await whileLocked(
      pipeline.owner,
      'SELECT FROM generation FOR UPDATE; UPDATE generation SET checkpoint = 1',
      async () => await Promise.race([lockWaiters(pipeline.owner, 1), changed.promise]),
      async () => await refusal(setAside(pipeline.operator, 1, REASON)).finally(changed.resolve),
    );
    expect(outcome).toEqual({ code: 'applied', checkpoint: 1 });
  });
});
