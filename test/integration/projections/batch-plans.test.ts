import { Transaction } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/read-models/projections';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openPipeline, type Pipeline } from '../../support/pipeline.ts';
import { explainPrepared, nodesOf, type Plan, rowsOf } from '../../support/query-plan.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const TRIPS = 30_000;
const DRIVERS = 1_000;
const BATCH = 50;
/** Rows that a statement may read for a trip of the batch: it, its body, its driver, the day's trips and the week's days, some twice. */
const ROWS_A_TRIP = 60;

/** A log that has grown since the server last looked at it, as logs do; batches must not cost by its length. */
const FILL = `
  ALTER TABLE log.stored_event SET (autovacuum_enabled = false);
  ALTER TABLE log.trip_body SET (autovacuum_enabled = false);
  INSERT INTO log.stored_event (position, stored_at, source_offset, revision, source_id, kind, effective, content_hash,
    fleet_id, driver_id, source_trip_id, trip_id, trip_start_time, trip_end_time, start_latitude, start_longitude,
    end_latitude, end_longitude, duration_seconds, distance_miles, night_driving_seconds, highway_miles, night_driving_miles,
    phone_use_count, rapid_acceleration_count, hard_brake_count, overspeeding_count, phone_use_time_seconds,
    overspeeding_time_seconds)
  SELECT n, now(), n - 1, 1, 1, 1, true, '\\x00', 'acme', 'driver-' || n % ${DRIVERS}, 'trip-' || n, md5(n::text)::uuid,
    1760000000000 + n * 60000::bigint, 1760000600000 + n * 60000::bigint, 1, 1, 1, 1, 600, 1.5, 0, 0, 0, 0, 0, 0, 0, 0, 0
  FROM generate_series(1, ${TRIPS}) n;
  INSERT INTO log.trip_body (position, trail_path, trip_events) SELECT n, '\\x00', '\\x00' FROM generate_series(1, ${TRIPS}) n;`;

/** Rows that come out of tables and indexes, those that are thrown away at once included. */
function rowsRead(plan: Plan): number {
  const scans = nodesOf(plan).filter((node) => node['Relation Name'] !== undefined || node['Index Name'] !== undefined);
  return scans.reduce((sum, node) => sum + rowsOf(node), 0);
}

interface Asked {
  name: string;
  values: readonly unknown[];
}

function askedOf(query: unknown): Asked[] {
  if (typeof query !== 'object' || query === null || !('name' in query) || !('values' in query)) return [];
  const { name, values } = query;
  return typeof name === 'string' && Array.isArray(values) ? [{ name, values }] : [];
}

describeWithPostgres('a batch behind a log without statistics', () => {
  let pipeline: Pipeline;
  let client: PoolClient;

  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.owner.query(FILL);
    client = await pipeline.projector.connect();
    await client.query('SET plan_cache_mode = force_generic_plan');
  });
  afterAll(async () => {
    client?.release();
    await pipeline?.close();
  });

  it.each(PROJECTIONS)('costs $name what the batch touches, not what the log holds', async (projection) => {
    const spy = vi.spyOn(client, 'query');
    await client.query('BEGIN');
    await projection.apply(
      new Transaction(client),
      { after: TRIPS - BATCH, through: TRIPS },
      `read.${projection.name}_1`,
    );
    const statements = spy.mock.calls.flatMap(([query]) => askedOf(query));
    spy.mockRestore();
    await client.query('ROLLBACK');
    expect(statements.length).toBeGreaterThan(0);
    for (const { name, values } of statements) {
      await client.query('BEGIN');
      const plan = await explainPrepared(client, name, values);
      await client.query('ROLLBACK');
      expect(rowsRead(plan), name).toBeLessThanOrEqual(BATCH * ROWS_A_TRIP);
    }
  });
});
