import { PROJECTIONS } from '@milepost/projections';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { untilTestEnds } from '../../support/fixtures.ts';
import { shownRows } from '../../support/fold.ts';
import { openPipeline } from '../../support/pipeline.ts';
import { play } from '../../support/play.ts';
import { drawnSequence } from '../../support/random-records.ts';
import { inSmallChunks, workerOf } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { tableTexts } from '../../support/tables.ts';

const SEQUENCES = 25;
const SEED = Number(process.env['RECOUNT_SEED'] ?? Math.floor(Math.random() * 1e9));
/** This limit stops a test that hangs, but lets all sequences run even on a slow machine. */
const MAX_SEQUENCE_MILLISECONDS = 20_000;

describeWithPostgres('replayed read tables', () => {
  it(
    `equal the projector's tables byte for byte, whatever is stored before and during the replay (${SEQUENCES} sequences, RECOUNT_SEED=${SEED})`,
    async () => {
      const pipeline = untilTestEnds(await openPipeline());
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(drawnSequence, fc.integer({ min: 1, max: 40 }), async (sequence, chunkSize) => {
          runs += 1;
          const worker = workerOf(pipeline.projector, inSmallChunks(PROJECTIONS, chunkSize));
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
