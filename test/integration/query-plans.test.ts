import { createPool, type Pool, ROLES } from '@milepost/postgres';
import {
  dailySummaries,
  findFleetOfKey,
  findTrip,
  findTripsByTrackingId,
  listDrivers,
  listTrips,
  weeklySummaries,
} from '@milepost/read-models/queries';
import { encodeTrailPath } from '@milepost/trail-codec';
import { packTripEvents } from '@milepost/trip-event-codec';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPipeline, type Pipeline } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

const DRIVERS = 10_000;
const TRIPS_PER_DRIVER = 5;
const TRAIL = Buffer.from(encodeTrailPath([])).toString('hex');
const EVENTS = Buffer.from(packTripEvents('[]')).toString('hex');

/** Read tables as a fleet of 10,000 drivers leaves them, made by the server itself: folding would take minutes. */
const FILL = `
  INSERT INTO read.drivers_1 (fleet_id, driver_id, ordinal, profile)
  SELECT 'acme', 'driver-' || n, n, repeat('x', 200) FROM generate_series(1, ${DRIVERS}) n;
  INSERT INTO read.trips_1 (fleet_id, driver_id, trip_id, tracking_id, trip_start_time, trip_end_time, focus_area, list_entry)
  SELECT 'acme', 'driver-' || n, md5(n || '/' || t)::uuid, 'tracking-' || n || '-' || t, 1760000000000 + t::bigint * 86400000 + n,
    1760000600000 + t::bigint * 86400000 + n, 0, repeat('x', 600) FROM generate_series(1, ${DRIVERS}) n, generate_series(1, ${TRIPS_PER_DRIVER}) t;
  INSERT INTO read.trail_paths_1 (fleet_id, driver_id, trip_id, trip_date, trail_path)
  SELECT fleet_id, driver_id, trip_id, '2025-10-06', '\\x${TRAIL}' FROM read.trips_1;
  INSERT INTO read.trip_events_1 (fleet_id, driver_id, trip_id, trip_date, trip_events) SELECT fleet_id, driver_id, trip_id, '2025-10-06', '\\x${EVENTS}' FROM read.trips_1;
  INSERT INTO read.daily_rollups_1 (fleet_id, driver_id, date, summary)
  SELECT 'acme', 'driver-' || n, date '2025-10-06' + t, repeat('x', 450) FROM generate_series(1, ${DRIVERS}) n, generate_series(1, ${TRIPS_PER_DRIVER}) t;
  INSERT INTO read.weekly_rollups_1 (fleet_id, driver_id, start_date, through_date, totals)
  SELECT fleet_id, driver_id, date_trunc('week', date)::date, date, summary FROM read.daily_rollups_1;
  INSERT INTO access.api_key (api_key_id, fleet_id, key_hash) SELECT 'key_' || n, 'acme', sha256(n::text::bytea) FROM generate_series(1, ${DRIVERS}) n;
  VACUUM ANALYZE;`;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Plan[];
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

describeWithPostgres('the queries of the endpoints, on a fleet of 10,000 drivers', () => {
  let pipeline: Pipeline;
  let pool: Pool;

  beforeAll(async () => {
    pipeline = await openPipeline();
    for (const statement of FILL.split(';').filter((text) => text.trim() !== '')) await pipeline.owner.query(statement);
    pool = createPool({
      url: pipeline.url,
      role: ROLES.api,
      applicationName: 'plans',
      // Prepared statements belong to a connection: with one, the plan asked for is that of the query just run.
      connections: 1,
      statementTimeoutMilliseconds: 60_000,
    });
    await pool.query('SET plan_cache_mode = force_generic_plan');
  });
  afterAll(async () => {
    await pool?.end();
    await pipeline?.close();
  });

  /** The plan that a statement gets whatever its parameters are. */
  async function planOf(name: string): Promise<Plan[]> {
    const { rows: statements } = await pool.query<{ count: number }>(
      'SELECT cardinality(parameter_types) AS count FROM pg_prepared_statements WHERE name = $1',
      [name],
    );
    const parameters = Array(statements[0]?.count).fill('NULL').join(', ');
    const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `EXPLAIN (FORMAT JSON) EXECUTE "${name}"(${parameters})`,
    );
    return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => nodesOf(plan)));
  }

  const page = { page: 1, limit: 50 };
  const detail = { fleetId: 'acme', endedBy: Date.now(), page: 1, limit: 5 };
  const week = { startDate: '2025-10-13', endDate: '2025-10-19', throughDate: '2025-10-19' };
  const cases: [name: string, run: () => Promise<unknown>, indexes: RegExp[]][] = [
    ['list-drivers', () => listDrivers(pool, 'acme', page), [/drivers_1_fleet_id_ordinal_key/]],
    [
      'list-trips',
      () => listTrips(pool, { fleetId: 'acme', driverId: 'driver-7', startsFrom: 0, endedBy: Date.now(), ...page }),
      [/trips_1_pkey/, /drivers_1_pkey/],
    ],
    [
      'trip-by-trip-id',
      () => findTrip(pool, '0'.repeat(32), detail),
      [/trips_1_fleet_id_trip_id_idx/, /trail_paths_1_pkey/, /trip_events_1_pkey/],
    ],
    [
      'trips-by-tracking-id',
      () => findTripsByTrackingId(pool, 'tracking-1-1', detail),
      [/trips_1_fleet_id_tracking_id/, /trail_paths_1_pkey/, /trip_events_1_pkey/],
    ],
    [
      'daily-summaries',
      () => dailySummaries(pool, 'acme', ['driver-1'], '2025-10-20'),
      [/drivers_1_pkey/, /daily_rollups_1_pkey/],
    ],
    [
      'weekly-summaries',
      () => weeklySummaries(pool, 'acme', ['driver-1'], week),
      [/drivers_1_pkey/, /weekly_rollups_1_pkey/, /daily_rollups_1_pkey/],
    ],
    ['find-fleet-of-key', () => findFleetOfKey(pool, Buffer.alloc(32)), [/api_key_key_hash_key/]],
  ];

  it.each(cases)('%s reads through its indexes and never scans a table', async (name, run, indexes) => {
    await run();
    const plan = await planOf(name);
    const scanned = plan.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']);
    // The checkpoints of a handful of projections fit in one block.
    expect(scanned.filter((relation) => relation !== 'generation')).toEqual([]);
    const used = plan.flatMap((node) => node['Index Name'] ?? []);
    for (const index of indexes) expect(used).toContainEqual(expect.stringMatching(index));
  });
});
