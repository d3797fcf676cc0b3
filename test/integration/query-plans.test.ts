import { hash } from 'node:crypto';
import { directoryAt, type Pool, ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import {
  checkReadTables,
  dailySummaries,
  findTrip,
  findTripsByTrackingId,
  findValidKey,
  listDrivers,
  listTrips,
  weeklySummaries,
} from '@milepost/projections/queries';
import { encodeTrailPath } from '@milepost/trail-codec';
import { encodeTripEvents } from '@milepost/trip-event-codec';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillLog } from '../support/filled-log.ts';
import { perSuite } from '../support/fixtures.ts';
import { openPartPool, openPipeline, openPool } from '../support/pipeline.ts';
import {
  explainPrepared,
  nodesOf,
  type Plan,
  rowsOf,
  statementsDuring,
  withoutStatistics,
} from '../support/query-plan.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

const DRIVERS = 10_000;
const TRIPS_PER_DRIVER = 12;
const TRIPS_PER_TRACKING_ID = 6;
/**
 * The driver with this number also makes the trips of all drivers whose numbers are multiples of it. Each of the
 * driver's trips is therefore on a different page of the table.
 */
const BUSY_DRIVER = 500;
const BUSY_TRIPS = (DRIVERS / BUSY_DRIVER) * TRIPS_PER_DRIVER;
const FIRST_DAY = Date.UTC(2025, 9, 6);
const TRAIL = Buffer.from(encodeTrailPath([])).toString('hex');
const EVENTS = Buffer.from(encodeTripEvents([])).toString('hex');

/** SQL that fills the read tables with a fleet of 10,000 drivers. Folding the trips would take minutes. */
const FILL = `
  INSERT INTO drivers_1 (fleet_id, driver_id, ordinal, profile)
  SELECT 'acme', 'driver-' || n, n, repeat('x', 200) FROM generate_series(1, ${DRIVERS}) n;
  INSERT INTO trips_1 (fleet_id, driver_id, position, trip_id, tracking_id, trip_start_time, trip_end_time, list_entry)
  SELECT 'acme', 'driver-' || CASE WHEN n % ${BUSY_DRIVER} = 0 THEN ${BUSY_DRIVER} ELSE n END, (t + 1) * ${DRIVERS} + n,
    md5(n || '/' || t)::uuid, 'tracking-' || n || '-' || t / ${TRIPS_PER_TRACKING_ID},
    ${FIRST_DAY} + t::bigint * 86400000 + n, ${FIRST_DAY} + 600000 + t::bigint * 86400000 + n, repeat('x', 600) || '","event_summary":{"x":0'
  FROM generate_series(0, ${TRIPS_PER_DRIVER - 1}) t, generate_series(1, ${DRIVERS}) n;
  INSERT INTO daily_rollups_1 (fleet_id, driver_id, date, summary)
  SELECT 'acme', 'driver-' || n, date '2025-10-06' + t, repeat('x', 450)
  FROM generate_series(0, ${TRIPS_PER_DRIVER - 1}) t, generate_series(1, ${DRIVERS}) n;
  INSERT INTO weekly_rollups_1 (fleet_id, driver_id, start_date, through_date, sums, totals)
  SELECT fleet_id, driver_id, date_trunc('week', date)::date, date, repeat('1', 70), summary FROM daily_rollups_1;
  INSERT INTO fleets_1 (fleet_id, position) SELECT 'fleet-' || n, n FROM generate_series(1, ${DRIVERS}) n;
  INSERT INTO fleets_1 (fleet_id, position) VALUES ('acme', ${DRIVERS + 1});
  ${fillLog(DRIVERS)}
  INSERT INTO trip_body (position, trail_path, trip_events) SELECT position, '\\x${TRAIL}', '\\x${EVENTS}' FROM trips_1;`;

const FILL_DIRECTORY = `
  INSERT INTO api_key (api_key_id, fleet_id, key_hash) SELECT 'key_' || n, 'acme', sha256(n::text::bytea) FROM generate_series(1, ${DRIVERS}) n;
  INSERT INTO fleet (fleet_id, lane) SELECT 'fleet-' || n, 0 FROM generate_series(1, ${DRIVERS}) n;
  INSERT INTO fleet (fleet_id, lane) VALUES ('acme', 0)`;

/** The read tables start empty, and queries run before PostgreSQL gathers the first statistics. */
const NO_STATISTICS = withoutStatistics(['stored_event', 'trip_body', ...PROJECTIONS.map(({ name }) => `${name}_1`)]);

/** For the age of a response, the API reads its fleet's row and the oldest stored event that has not been applied. */
const FRESHNESS = [/fleets_1_pkey/, /stored_event_pkey/];
const FRESHNESS_BLOCKS = 6;

/** For each state of the tables, the SQL that runs before and after they are filled. */
const STATES = {
  'with statistics': { before: '', after: 'VACUUM ANALYZE' },
  'before the first statistics': { before: NO_STATISTICS, after: '' },
};

interface Explained {
  name: string;
  nodes: Plan[];
  /** How many blocks of 8 kB the statement read. */
  blocks: number;
  /** How many rows it read from tables, including rows removed by a filter. */
  rows: number;
}

interface Case {
  run: (pool: Pool) => Promise<unknown>;
  /** Whether it runs on the directory rather than on the lane. */
  onDirectory?: true;
  /** The statements that it runs, each with the indexes that it must use. */
  statements: Record<string, RegExp[]>;
  /** How many blocks and rows it may read, whatever the tables contain. */
  blocks: number;
  rows: number;
}

const NOW = Date.UTC(2026, 0, 1);
const LIMIT = 50;
const page = { page: 1, limit: LIMIT };
const detail = { fleetId: 'acme', endedBy: NOW, page: 1, limit: 5 };
const drivers = Array.from({ length: 20 }, (_, index) => `driver-${1 + index * 499}`);
const week = { startDate: '2025-10-06', endDate: '2025-10-12', throughDate: '2025-10-12' };
const TRIP_ID = hash('md5', '7/3');

/** All of the API's statements. An index with three levels costs three blocks, and the row costs one. */
const CASES: Record<string, Case> = {
  'driver list, first page': {
    run: (pool) => listDrivers(pool, 'acme', page),
    statements: { 'list-drivers': [/drivers_1_fleet_id_ordinal_key/, ...FRESHNESS] },
    blocks: 16,
    rows: LIMIT + 10,
  },
  'driver list, last page': {
    run: (pool) => listDrivers(pool, 'acme', { page: DRIVERS / LIMIT, limit: LIMIT }),
    statements: { 'list-drivers': [/drivers_1_fleet_id_ordinal_key/, ...FRESHNESS] },
    blocks: 16,
    rows: LIMIT + 10,
  },
  'trip list': {
    run: (pool) =>
      listTrips(pool, { fleetId: 'acme', driverId: 'driver-7', startsFrom: FIRST_DAY, endedBy: NOW, ...page }),
    statements: { 'list-trips': [/trips_1_pkey/, /drivers_1_pkey/, ...FRESHNESS] },
    blocks: 40,
    rows: 2 * TRIPS_PER_DRIVER + 10,
  },
  'trip detail by trip_id': {
    run: (pool) => findTrip(pool, TRIP_ID, detail),
    statements: { 'trip-by-trip-id': [/trips_1_trip_id_idx/, /trip_body_pkey/, ...FRESHNESS] },
    blocks: 20 + FRESHNESS_BLOCKS,
    rows: 15,
  },
  'trip detail by trip_id, past the end': {
    run: (pool) => findTrip(pool, TRIP_ID, { ...detail, page: 2 }),
    statements: { 'trip-by-trip-id': [/trips_1_trip_id_idx/, ...FRESHNESS] },
    blocks: 20,
    rows: 15,
  },
  'trip detail by tracking_id': {
    run: (pool) => findTripsByTrackingId(pool, 'tracking-1-1', detail),
    statements: { 'trips-by-tracking-id': [/trips_1_fleet_id_tracking_id/, /trip_body_pkey/] },
    blocks: 80,
    rows: 4 * TRIPS_PER_TRACKING_ID + 10,
  },
  'trip detail by tracking_id, past the end': {
    run: (pool) => findTripsByTrackingId(pool, 'tracking-1-1', { ...detail, page: 3 }),
    statements: { 'trips-by-tracking-id': [/trips_1_fleet_id_tracking_id/] },
    blocks: 40,
    rows: 4 * TRIPS_PER_TRACKING_ID + 10,
  },
  'daily summary': {
    run: (pool) => dailySummaries(pool, 'acme', drivers, '2025-10-08'),
    statements: { 'daily-summaries': [/drivers_1_pkey/, /daily_rollups_1_pkey/, ...FRESHNESS] },
    blocks: 20 * (4 + 4) + 10,
    rows: 2 * 20 + 10,
  },
  'weekly summary': {
    run: (pool) => weeklySummaries(pool, 'acme', drivers, week),
    statements: { 'weekly-summaries': [/drivers_1_pkey/, /weekly_rollups_1_pkey/, /daily_rollups_1_pkey/] },
    blocks: 20 * (4 + 4 + 3 + 7) + 10,
    rows: (2 + 7) * 20 + 10,
  },
  'key look-up': {
    run: (pool) => findValidKey(pool, hash('sha256', '77', 'buffer')),
    onDirectory: true,
    statements: { 'find-valid-key': [/api_key_hash/, /fleet_pkey/] },
    blocks: 4 + 4,
    rows: 1 + 1,
  },
};

for (const [state, { before, after }] of Object.entries(STATES))
  describeWithPostgres(`the API's queries on a fleet of 10,000 drivers, ${state},`, () => {
    const pipeline = perSuite(openPipeline);
    let pool: Pool;
    let directory: Pool;

    beforeAll(async () => {
      await pipeline.directory.query(FILL_DIRECTORY);
      for (const statement of `${before}${FILL}${after}`.split(';').filter((text) => text.trim() !== '')) {
        await pipeline.owner.query(statement);
      }
      // Prepared statements belong to a connection, so a single connection is certain to have the last query's plan.
      pool = openPool(pipeline.url, ROLES.api, 1);
      directory = openPartPool(directoryAt(pipeline.url), ROLES.api, 1);
      for (const each of [pool, directory]) await each.query('SET plan_cache_mode = force_generic_plan');
    });
    afterAll(async () => await Promise.all([pool?.end(), directory?.end()]));

    /** Runs a query function. Explains the generic plans of its statements. */
    async function explain(run: Case['run'], on = pool): Promise<Explained[]> {
      const explained: Explained[] = [];
      for (const { name, values } of await statementsDuring(on, async () => await run(on))) {
        const root = await explainPrepared(on, name, values);
        const nodes = nodesOf(root);
        explained.push({
          name,
          nodes,
          blocks: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0),
          rows: nodes.reduce((sum, node) => sum + (node['Relation Name'] === undefined ? 0 : rowsOf(node)), 0),
        });
      }
      return explained;
    }

    it.each(Object.entries(CASES))('for %s read a few rows through indexes, and scan no table', async (_name, one) => {
      const explained = await explain(one.run, one.onDirectory ? directory : pool);
      expect(explained.map(({ name }) => name)).toEqual(Object.keys(one.statements));
      for (const { name, nodes, blocks, rows } of explained) {
        // The checkpoints of a few projections fit in one block.
        const tables = nodes.filter((node) => node['Relation Name'] !== 'generation');
        const scanned = tables.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']);
        expect(scanned, name).toEqual([]);
        const used = nodes.flatMap((node) => node['Index Name'] ?? []);
        for (const index of one.statements[name] ?? []) expect(used, name).toContainEqual(expect.stringMatching(index));
        expect(blocks, `blocks of ${name}`).toBeLessThanOrEqual(one.blocks);
        expect(rows, `rows of ${name}`).toBeLessThanOrEqual(one.rows);
      }
    });

    // An index-only scan works only on pages that PostgreSQL has marked as all-visible.
    if (after !== '')
      it('for a later page of a trip list read only the trips on that page', async () => {
        const last = { page: Math.ceil(BUSY_TRIPS / LIMIT), limit: LIMIT };
        const list = {
          fleetId: 'acme',
          driverId: `driver-${BUSY_DRIVER}`,
          startsFrom: FIRST_DAY,
          endedBy: NOW,
          ...last,
        };
        const [explained] = await explain(async () => await listTrips(pool, list));
        const used = explained?.nodes.map((node) => node['Index Name']);
        expect(used).toContainEqual(expect.stringMatching(/trips_1_pkey/));
        expect(explained?.blocks).toBeLessThanOrEqual((BUSY_TRIPS % LIMIT) + 40);
      });

    it('for readiness read one row of each table', async () => {
      const [explained] = await explain(checkReadTables);
      expect(explained?.blocks).toBeLessThanOrEqual(24);
    });
  });
