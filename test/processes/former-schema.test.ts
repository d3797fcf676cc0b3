import { join } from 'node:path';
import { PROJECTIONS } from '@milepost/projections';
import { expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { perSuite } from '../support/fixtures.ts';
import { ROOT } from '../support/milepost.ts';
import { openPipeline, projectAll } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

/**
 * This file was written by `milepost archive export` of release 0.1.0. It contains two fleets, and profiles with a late
 * revision. One trip was corrected to belong to another driver, one has a late revision, one was deleted, and one was
 * deleted and stored again. One deletion is about an unknown trip.
 */
const ARCHIVE = join(ROOT, 'test/processes/data/schema-of-0.1.0.ndjson.zst');
const STORED_EVENTS = 27;

describeWithPostgres('a database of release 0.1.0', () => {
  const pipeline = perSuite(openPipeline);

  it('can be moved with an archive, keeps its positions, and gets read tables that pass an audit', async () => {
    const settings = { DATABASE_URL: pipeline.url, LOG_LEVEL: 'warn' };
    const ingested = await run(['ingest', ARCHIVE, '--json'], settings);
    expect(JSON.parse(ingested.stdout)).toEqual({
      read: STORED_EVENTS,
      stored: STORED_EVENTS,
      duplicates: 0,
      dead_letters: 0,
    });
    const verified = await run(['archive', 'verify', ARCHIVE, '--json'], settings);
    expect(verified.code).toBe(0);
    expect(JSON.parse(verified.stdout)).toMatchObject({ from: 1, through: STORED_EVENTS, equal: true });
    await projectAll(pipeline, PROJECTIONS);
    expect((await run(['audit', '--json'], settings)).code).toBe(0);
    const { rows } = await pipeline.owner.query(
      `SELECT (SELECT count(*) FROM trips) AS trips, (SELECT count(*) FROM drivers) AS drivers,
         (SELECT count(*) FROM stored_event WHERE NOT effective) AS late, (SELECT count(*) FROM fleets) AS fleets`,
    );
    expect(rows).toEqual([{ trips: 14, drivers: 4, late: 2, fleets: 2 }]);
  });
});
