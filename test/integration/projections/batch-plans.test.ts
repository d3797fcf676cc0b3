import { Transaction } from '@milepost/postgres';
import { advance, type PositionRange, type Projection } from '@milepost/projection-engine';
import { PROJECTIONS } from '@milepost/read-models/projections';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openPipeline, type Pipeline } from '../../support/pipeline.ts';
import { explainPrepared, nodesOf, type Plan, rowsOf, withoutStatistics } from '../../support/query-plan.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const TRIPS = 30_000;
const DRIVERS = 1_000;
const BATCH = 50;
/** Trips of the batch with which the tables begin. */
const FIRST = 20;
/** Rows that a statement may read for a trip of the batch: it, its body, its driver, the day's trips and the week's days, some twice. */
const ROWS_A_TRIP = 60;

/** Tables as they are a minute after the first start: full, and never looked at by the server. */
const NO_STATISTICS = withoutStatistics([
  ...['log.stored_event', 'log.trip_body'],
  ...PROJECTIONS.map(({ name }) => `read.${name}_1`),
]);

/** Trips up to a position; those that are there already stay. */
const fill = (through: number) => `
  INSERT INTO log.stored_event (position, stored_at, source_offset, revision, source_id, kind, effective, content_hash,
    fleet_id, driver_id, source_trip_id, trip_id, trip_start_time, trip_end_time, start_latitude, start_longitude,
    end_latitude, end_longitude, duration_seconds, distance_miles, night_driving_seconds, highway_miles, night_driving_miles,
    phone_use_count, rapid_acceleration_count, hard_brake_count, overspeeding_count, phone_use_time_seconds,
    overspeeding_time_seconds)
  SELECT n, now(), n - 1, 1, 1, 1, true, '\\x00', 'acme', 'driver-' || n % ${DRIVERS}, 'trip-' || n, md5(n::text)::uuid,
    1760000000000 + n * 60000::bigint, 1760000600000 + n * 60000::bigint, 1, 1, 1, 1, 600, 1.5, 0, 0, 0, 0, 0, 0, 0, 0, 0
  FROM log.head, generate_series(head.position + 1, ${through}) n;
  INSERT INTO log.trip_body (position, trail_path, trip_events)
  SELECT n, '\\x00', '\\x00' FROM log.head, generate_series(head.position + 1, ${through}) n;
  UPDATE log.head SET position = ${through};`;

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

  async function apply({ name, apply: fold }: Projection, range: PositionRange): Promise<void> {
    await fold(new Transaction(client), range, `read.${name}_1`);
  }

  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.owner.query(`${NO_STATISTICS}${fill(FIRST)}`);
    client = await pipeline.projector.connect();
    await client.query('SET plan_cache_mode = force_generic_plan');
    // A projector's first plans are made while there is next to nothing; it throws them away as the log doubles.
    await client.query('BEGIN');
    for (const projection of PROJECTIONS) await apply(projection, { after: 0, through: FIRST });
    await client.query('ROLLBACK');
    await pipeline.owner.query(fill(TRIPS - BATCH));
    await advance(pipeline.projector, PROJECTIONS, TRIPS);
    await pipeline.owner.query(fill(TRIPS));
    await client.query('DISCARD PLANS');
  });
  afterAll(async () => {
    client?.release();
    await pipeline?.close();
  });

  it.each(PROJECTIONS)('costs $name what the batch touches, not what the log holds', async (projection) => {
    const spy = vi.spyOn(client, 'query');
    await client.query('BEGIN');
    await apply(projection, { after: TRIPS - BATCH, through: TRIPS });
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
