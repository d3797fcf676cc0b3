import { join } from 'node:path';
import { PROJECTIONS } from '@milepost/projections';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { run } from '../support/command.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createHome, ROOT, removeHome, type Settings } from '../support/milepost.ts';
import { openPipeline, type Pipeline, projectAll } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { freePorts } from '../support/services/free-port.ts';
import { administer } from '../support/template.ts';

/**
 * `milepost archive export` of release 0.1.0 wrote this file. It contains two fleets, and profiles with a late
 * revision. One trip was corrected to another driver, one has a late revision, one was deleted, and one was deleted and
 * stored again. One deletion is about an unknown trip.
 */
const ARCHIVE = join(ROOT, 'test/processes/data/schema-of-0.1.0.ndjson.zst');
const STORED_EVENTS = 27;

describeWithPostgres('a database of release 0.1.0', () => {
  let former: TestDatabase;
  let pipeline: Pipeline;
  let settings: Settings;

  beforeAll(async () => {
    former = await createTestDatabase();
    await administer(former.url, [
      'DROP SCHEMA milepost CASCADE',
      'CREATE SCHEMA milepost',
      `CREATE TABLE milepost.migration (number integer PRIMARY KEY, name text NOT NULL, breaking boolean NOT NULL,
         applied_at timestamptz NOT NULL DEFAULT now())`,
    ]);
    pipeline = await openPipeline();
    settings = { DATABASE_URL: pipeline.url, LOG_LEVEL: 'warn' };
  });
  afterAll(async () => {
    await former?.drop();
    await pipeline?.close();
  });

  it.each([
    ['migrate', ['migrate']],
    ['up', ['up']],
  ])('is refused by milepost %s with one sentence that describes how to move its log', async (_name, words) => {
    const home = await createHome();
    onTestFinished(async () => await removeHome(home));
    const [port, opsPort] = await freePorts(2);
    const ports = { PORT: String(port), OPS_PORT: String(opsPort) };
    const refused = await run(words, { DATABASE_URL: former.url, SAMPLE_FLEET: 'off', MILEPOST_HOME: home, ...ports });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr.trimEnd().split('\n').at(-1)).toMatch(
      /^milepost: The database \S+ has the schema of Milepost 0\.1\.0, .*`milepost archive export` of that release.*`milepost ingest` of this release\.$/,
    );
  });

  it('is moved with an archive, keeps its positions, and has read tables that pass an audit', async () => {
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
