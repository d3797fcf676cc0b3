import { PROJECTIONS } from '@milepost/projections';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openPipeline } from '../../support/pipeline.ts';
import { play } from '../../support/play.ts';
import { drawnSequence } from '../../support/random-records.ts';
import { inSmallParts, workerOf } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { tableTexts } from '../../support/tables.ts';

const SEQUENCES = 25;

describeWithPostgres('replayed read tables', () => {
  it('are the bytes that the projector made, whatever was stored before and after the replay began', async () => {
    const pipeline = await openPipeline();
    try {
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(drawnSequence, fc.integer({ min: 1, max: 40 }), async (sequence, partSize) => {
          runs += 1;
          const worker = workerOf(pipeline.projector, inSmallParts(PROJECTIONS, partSize));
          // Filled as of what the sequences before have left; caught up over this one, in the middle of their trips.
          const id = await worker.start({ projection: 'all' });
          await play(pipeline, sequence, `run${runs % 5}`);
          await worker.run(id);
          const { verification, generations } = await worker.show(id);
          expect(verification?.tables.flatMap((table) => table.samples)).toEqual([]);
          expect(verification).toMatchObject({ equal: true, expected: true });
          for (const { projection, generation } of generations) {
            const live = await tableTexts(pipeline.owner, `read.${projection}`);
            const replayed = await tableTexts(pipeline.owner, `read.${projection}_${generation}`);
            expect(replayed, projection).toEqual(live);
          }
          await worker.cancel(id);
        }),
        { numRuns: SEQUENCES, interruptAfterTimeLimit: 100_000 },
      );
    } finally {
      await pipeline.close();
    }
  }, 120_000);
});
