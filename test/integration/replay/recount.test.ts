import { PROJECTIONS } from '@milepost/projections';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fillRollups } from '../../../packages/core/projections/rollups/fill.ts';
import { untilTestEnds } from '../../support/fixtures.ts';
import { shownRows } from '../../support/fold.ts';
import { deliverAndProject, openPipeline } from '../../support/pipeline.ts';
import { play } from '../../support/play.ts';
import { drawnSequence } from '../../support/random-records.ts';
import { numberedProfiles, tripProcessed } from '../../support/records.ts';
import { inSmallChunks, replaysOf } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { tableTexts } from '../../support/tables.ts';

const SEQUENCES = 25;
const SEED = Number(process.env['RECOUNT_SEED'] ?? Math.floor(Math.random() * 1e9));
/** This limit stops a test that hangs, but lets all sequences run even on a slow machine. */
const MAX_SEQUENCE_MILLISECONDS = 20_000;

const DRIVERS = 12;
/** One more driver than two chunks of a replay can contain. */
const MANY_DRIVERS = 8_001;
const DAYS = 4;

describeWithPostgres('replayed read tables', () => {
  it(
    `equal the projector's tables byte for byte, whatever is stored before and during the replay (${SEQUENCES} sequences, RECOUNT_SEED=${SEED})`,
    async () => {
      const pipeline = untilTestEnds(await openPipeline());
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(drawnSequence, fc.integer({ min: 1, max: 40 }), async (sequence, chunkSize) => {
          runs += 1;
          const worker = replaysOf(pipeline, inSmallChunks(PROJECTIONS, chunkSize));
          // The replay's fill covers the earlier sequences. Its catch-up applies this sequence, which continues the
          // earlier trips.
          const id = await worker.start({ projection: 'all' });
          await play(pipeline, sequence, `run${runs % 5}`);
          const { verification, generations } = await worker.outcome(id);
          expect(verification?.tables.flatMap((table) => table.samples)).toEqual([]);
          expect(verification).toMatchObject({ equal: true, expected: true });
          for (const { projection, generation } of generations) {
            const live = await tableTexts(pipeline.owner, `${projection}`);
            const replayed = await tableTexts(pipeline.owner, shownRows(projection, `${projection}_${generation}`));
            expect(replayed, projection).toEqual(live);
          }
          await worker.cancel(id);
        }),
        { numRuns: SEQUENCES, seed: SEED },
      );
      expect(runs).toBe(SEQUENCES);
    },
    SEQUENCES * MAX_SEQUENCE_MILLISECONDS,
  );
});

describeWithPostgres('rollups that are filled in chunks of drivers', () => {
  // The smallest chunks contain fewer partial sums than one driver has, and the largest contain more than all drivers
  // have together.
  it.each([1, 5, 8, 1_000])("equal the projector's rows with %d partial sums in each chunk", async (chunkSums) => {
    const pipeline = untilTestEnds(await openPipeline());
    const trips = Array.from({ length: DRIVERS * DAYS * 2 }, (_, index) =>
      tripProcessed({
        // Two fleets have drivers with the same ids.
        fleet_id: `fleet-${index % 2}`,
        driver_id: `driver-${(index >> 1) % (DRIVERS / 2)}`,
        source_trip_id: `trip-${index}`,
        trip_start_time: Date.parse('2025-01-13T12:00:00Z') + (index % DAYS) * 86_400_000,
      }),
    );
    await deliverAndProject(pipeline, trips);
    const fill = fillRollups(chunkSums);
    const rollups = PROJECTIONS.map((projection) =>
      projection.name.endsWith('_rollups') ? { ...projection, fill } : projection,
    );
    const worker = replaysOf(pipeline, inSmallChunks(rollups, 10));
    const { generations, verification } = await worker.outcome(await worker.start({ projection: 'all' }));
    for (const projection of ['daily_rollups', 'weekly_rollups']) {
      const generation = generations.find((built) => built.projection === projection)?.generation;
      const live = await tableTexts(pipeline.owner, `${projection}_1`);
      expect(live.length).toBeGreaterThanOrEqual(DRIVERS);
      expect(await tableTexts(pipeline.owner, `${projection}_${generation}`)).toEqual(live);
    }
    expect(verification).toMatchObject({ equal: true });
  });
});

describeWithPostgres('a replay of the drivers', () => {
  it('includes every driver of a fleet whose drivers need several chunks', async () => {
    const pipeline = untilTestEnds(await openPipeline());
    await deliverAndProject(pipeline, numberedProfiles(MANY_DRIVERS));
    const worker = replaysOf(pipeline, PROJECTIONS);
    const id = await worker.start({ projection: 'drivers' });
    expect(await worker.outcome(id)).toMatchObject({
      verification: { equal: true, tables: [{ live: { rows: MANY_DRIVERS }, replayed: { rows: MANY_DRIVERS } }] },
    });
  });
});
