import { PROJECTIONS } from '@milepost/projections';
import { expect, it } from 'vitest';
import { deliver, openPipeline, projectAll } from '../../support/pipeline.ts';
import { driverProfile } from '../../support/records.ts';
import { workerOf } from '../../support/replay.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

/** One more than the drivers in two chunks of a replay. */
const DRIVERS = 8_001;

describeWithPostgres('a replay of the drivers', () => {
  it('includes each driver of a fleet whose drivers need several chunks', async () => {
    const pipeline = await openPipeline();
    try {
      const profiles = Array.from({ length: DRIVERS }, (_, index) => driverProfile({ driver_id: `driver-${index}` }));
      await deliver(pipeline.ingest, profiles);
      await projectAll(pipeline);
      const worker = workerOf(pipeline.projector, PROJECTIONS);
      const id = await worker.start({ projection: 'drivers' });
      await worker.run(id);
      expect(await worker.show(id)).toMatchObject({
        verification: { equal: true, tables: [{ live: { rows: DRIVERS }, replayed: { rows: DRIVERS } }] },
      });
    } finally {
      await pipeline.close();
    }
  });
});
