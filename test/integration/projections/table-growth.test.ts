import { PROJECTIONS } from '@milepost/projections';
import { expect, it } from 'vitest';
import { startKillablePostgres } from '../../support/faults/postgres.ts';
import { perSuite } from '../../support/fixtures.ts';
import { deliver, openPipeline, type Pipeline, projectAll } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { migrateParts } from '../../support/template.ts';

const DRIVERS = 100;
const TRIPS_OF_DAY = 12;

/**
 * Starts a separate server for this test. PostgreSQL keeps a row's old versions while any session on the server, even
 * one of autovacuum, has an open transaction in any database.
 */
async function openAlone(): Promise<Pipeline> {
  const { url, stop } = await startKillablePostgres();
  await migrateParts(url);
  const pipeline = await openPipeline(PROJECTIONS, { url, drop: stop });
  await pipeline.owner.query('ALTER SYSTEM SET autovacuum = off');
  await pipeline.owner.query('SELECT pg_reload_conf()');
  return pipeline;
}

describeWithPostgres('read tables with frequent updates', () => {
  const pipeline = perSuite(openAlone);

  /** Adds another trip on the same day for each driver, and a new alias. */
  async function take(revision: number): Promise<void> {
    const drivers = Array.from({ length: DRIVERS }, (_, index) => `driver-${index}`);
    await deliver(
      pipeline.ingest,
      drivers.flatMap((driver_id) => [
        tripProcessed({ driver_id, source_trip_id: `${driver_id}-${revision}`, events: [], trail_path: [] }),
        driverProfile({ driver_id, revision, alias: `alias-${revision}` }),
      ]),
    );
    await projectAll(pipeline);
  }

  it("take about as much space at the end of a day as after the day's first trips, without a vacuum", async () => {
    const tables = ['drivers', 'daily_rollups', 'weekly_rollups'].map((name) => `${name}_1`);
    const pages = async () => {
      const sizes = tables.map((table) => `pg_relation_size('${table}') / 8192 AS "${table}"`);
      const { rows } = await pipeline.owner.query<Record<string, number>>(`SELECT ${sizes.join(', ')}`);
      return rows[0] ?? {};
    };
    await take(1);
    const first = await pages();
    for (let revision = 2; revision <= TRIPS_OF_DAY; revision += 1) await take(revision);
    for (const [table, now] of Object.entries(await pages()))
      expect(now, `${table} began with ${first[table]} pages`).toBeLessThanOrEqual(1.5 * (first[table] ?? 0));
  });
});
