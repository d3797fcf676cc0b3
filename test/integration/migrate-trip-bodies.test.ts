import { tripId } from '@milepost/domain/trip-id';
import { eraseDriver } from '@milepost/erasure';
import { migrate } from '@milepost/postgres/migrations';
import { PROJECTIONS } from '@milepost/projections';
import { ProjectionVersionError } from '@milepost/projections/engine';
import { findTrip, listTrips } from '@milepost/projections/queries';
import { findOutdated } from '@milepost/replay';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { auditProjections } from '../../packages/audit/audit-projections.ts';
import { advance } from '../../packages/projections/engine/advance.ts';
import { listEntryJson } from '../../packages/projections/trips/list-entry.ts';
import { deliver, openPipeline, openPool, type Pipeline, projectAll } from '../support/pipeline.ts';
import { DEFAULT_TRIP_START, tripDeleted, tripProcessed } from '../support/records.ts';
import { orphanTables, workerOf } from '../support/replay.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

const HOUR = 3_600_000;
const DRIVER = 'équipe "1"';
const TRIPS = ['plain', 'corrected', 'deleted', 'late', 'bare'];

function trip(source_trip_id: string, overrides: Parameters<typeof tripProcessed>[0] = {}) {
  const trip_start_time = DEFAULT_TRIP_START + TRIPS.indexOf(source_trip_id) * HOUR;
  return tripProcessed({ source_trip_id, driver_id: DRIVER, trip_start_time, ...overrides });
}

const RECORDS = [
  trip('plain'),
  trip('corrected'),
  trip('corrected', { revision: 2, trail_path: [], distance_miles: 3 }),
  trip('deleted'),
  tripDeleted({ source_trip_id: 'deleted' }),
  trip('late', { revision: 2 }),
  trip('late', { revision: 1, events: [], trail_path: [] }),
  trip('bare', { events: [], trail_path: [] }),
];

/** What came after the earlier release's projector had stopped. */
const LATER = [
  trip('plain', { revision: 2, events: [], trail_path: [], distance_miles: 7 }),
  tripDeleted({ source_trip_id: 'bare', revision: 2 }),
];

/**
 * The read tables as the release before the migration left them: rows of trips without positions and with whole entries, and copies of the bodies
 * in two generations of read tables of their own, the second of a replay that waits for its promotion.
 */
const BEFORE = `
  DELETE FROM milepost.migration WHERE number = 13;
  DROP VIEW read.trips;
  ALTER TABLE read.trips_1 DROP COLUMN position;
  UPDATE read.trips_1 SET list_entry = ${listEntryJson('trips_1')};
  UPDATE projection.generation SET version = 1 WHERE projection = 'trips';
  CREATE VIEW read.trips AS SELECT * FROM read.trips_1;
  CREATE TABLE read.trail_paths_1 (trip_id uuid, trail_path bytea);
  CREATE TABLE read.trail_paths_2 (trip_id uuid, trail_path bytea);
  CREATE TABLE read.trip_events_1 (trip_id uuid, trip_events bytea);
  CREATE VIEW read.trail_paths AS TABLE read.trail_paths_1;
  CREATE VIEW read.trip_events AS TABLE read.trip_events_1;
  INSERT INTO projection.generation (projection, generation, version, live, checkpoint)
    SELECT projection, generation, 2, live, position FROM log.head,
      (VALUES ('trail_paths', 1, true), ('trail_paths', 2, false), ('trip_events', 1, true)) made (projection, generation, live);
  INSERT INTO projection.generation (projection, generation, version) VALUES ('fleets', 2, 1);
  CREATE TABLE read.fleets_2 AS TABLE read.fleets_1;
  INSERT INTO projection.replay (kind, projection, phase, target, promote, throttle, requested_by)
    VALUES ('build', 'trail_paths,fleets', 'waiting', 8, false, 'off', 'test');
  INSERT INTO projection.replay_member (replay_id, projection, generation, target, filled, indexed)
    SELECT replay_id, name, 2, 8, true, true FROM projection.replay, unnest('{trail_paths,fleets}'::text[]) name`;

describeWithPostgres('the migration to bodies that are stored once', () => {
  let pipeline: Pipeline;
  beforeEach(async () => {
    pipeline = await openPipeline();
    await deliver(pipeline.ingest, RECORDS);
    await projectAll(pipeline);
  });
  afterEach(async () => await pipeline.close());

  async function bringBack(): Promise<void> {
    await pipeline.owner.query(BEFORE);
    for (const table of ['trail_paths_1', 'trail_paths_2', 'trip_events_1', 'fleets_2'])
      await pipeline.owner.query(`ALTER TABLE read.${table} OWNER TO milepost_projector`);
    for (const view of ['trips', 'trail_paths', 'trip_events'])
      await pipeline.owner.query(`ALTER VIEW read.${view} OWNER TO milepost_projector`);
  }

  /** The answers about all trips, in the API's role on connections of its own: the views are others by then. */
  async function answers(): Promise<unknown> {
    const api = openPool(pipeline.url, 'milepost_api', 1);
    const request = { fleetId: 'acme', endedBy: Date.now(), page: 1, limit: 5 };
    const details = [];
    for (const name of TRIPS) details.push((await findTrip(api, tripId('acme', name), request))?.items ?? null);
    const list = await listTrips(api, { ...request, driverId: DRIVER, startsFrom: 0 });
    await api.end();
    return { details, list: list?.items };
  }

  it('leaves answers as they were, whatever is stored since, until the trips are built anew', async () => {
    const before = await answers();
    await bringBack();
    await deliver(pipeline.ingest, LATER);
    await migrate(pipeline.url);
    expect(await answers()).toEqual(before);
    await expect(advance(pipeline.projector, PROJECTIONS, 100)).rejects.toThrow(ProjectionVersionError);
    expect(await findOutdated(pipeline.operator, PROJECTIONS)).toEqual(['trips']);

    const worker = workerOf(pipeline.projector, PROJECTIONS);
    await worker.run(1);
    expect(await worker.show(1)).toMatchObject({ phase: 'cancelled' });
    const id = await worker.start({ projection: 'all', promote: true });
    await worker.run(id);
    expect(await worker.show(id)).toMatchObject({ phase: 'promoted', verification: { expected: true } });
    expect(await answers()).toEqual(before);

    await projectAll(pipeline);
    const report = await auditProjections(pipeline.projector, PROJECTIONS, { stalledAfterSeconds: 60 });
    expect(report.faults).toEqual([]);
    const fresh = await openPipeline();
    await deliver(fresh.ingest, [...RECORDS, ...LATER]);
    await projectAll(fresh);
    const expected = await fresh.owner.query('SELECT * FROM read.trips ORDER BY trip_id');
    expect((await pipeline.owner.query('SELECT * FROM read.trips ORDER BY trip_id')).rows).toEqual(expected.rows);
    await fresh.close();
  });

  it('leaves nothing of the tables that are gone: no table, no lag, nothing that stops an erasure', async () => {
    await bringBack();
    await migrate(pipeline.url);
    expect(await orphanTables(pipeline)).toEqual([]);
    const { rows } = await pipeline.owner.query(
      `SELECT projection, live, dropped_at IS NULL AS there FROM projection.generation
       WHERE projection IN ('trail_paths', 'trip_events') ORDER BY projection, generation`,
    );
    const gone = { live: false, there: false };
    expect(rows).toEqual(['trail_paths', 'trail_paths', 'trip_events'].map((projection) => ({ projection, ...gone })));
    expect((await pipeline.api.query('SELECT * FROM read.lag')).rows).toEqual([]);
    expect((await pipeline.api.query('SELECT position FROM read.position')).rows).toEqual([
      { position: RECORDS.length },
    ]);
    const eraser = openPool(pipeline.url, 'milepost_eraser', 1);
    const request = { fleetId: 'acme', driverId: DRIVER, reason: 'test', keepAggregates: false };
    expect(await eraseDriver(eraser, PROJECTIONS, request)).toMatchObject({ stored_events: expect.any(Number) });
    await eraser.end();
    expect((await pipeline.api.query('SELECT FROM read.trips')).rowCount).toBe(0);
  });
});
