import { SCORE_VERSION } from '@milepost/domain/score';
import { readHeadPosition } from '@milepost/event-log';
import { Changes } from '@milepost/operations/changes';
import { date, inTransaction, number, type RowOf, type Transaction, text } from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectionNamed } from '../../support/fold.ts';
import { deliver, openPipeline, type Pipeline, projectAll } from '../../support/pipeline.ts';
import { DEFAULT_TRIP_START, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const DAY = 86_400_000;
const DRIVERS = 7;
const DAYS = 24;
/** Changes of the score in tenths. Some of them lie on the bounds of buckets. */
const SHIFTS = [0, 0, -4, 7, 10, -10, 19, -20, 33, -50, 99, -100, 151, -200, 254, -333, 0, 50];

/** Decides how much a row's score changes. Any rule that spreads the changes over drivers and days would do. */
const shiftOf = (driver: string, date: string) =>
  SHIFTS[(Number(driver.slice(-1)) * 31 + Math.round(Date.parse(date) / DAY)) % SHIFTS.length] ?? 0;

const gradeOf = (score: number) => (score >= 85 ? 'excellent' : score >= 70 ? 'good' : score >= 50 ? 'fair' : 'poor');

const COLUMNS = {
  fleet_id: text,
  driver_id: text,
  date,
  own_day: date,
  /** Scores are in tenths, because integers add up exactly. */
  tenths: number,
  grade: text,
};
type Row = RowOf<typeof COLUMNS>;

interface Rollup {
  name: string;
  column: string;
  /** The row's own day, and the date of its period. */
  day: string;
  period: string;
}

/** Returns a later version of the projection with other scores. */
function shifted(projection: Projection, { column, day, period }: Rollup): Projection {
  return {
    ...projection,
    version: SCORE_VERSION + 1,
    async apply(transaction, range, table) {
      await projection.apply(transaction, range, table);
      const rows = await read(transaction, table, { column, day, period });
      for (const { fleet_id, driver_id, date, own_day, tenths } of rows) {
        const score = Math.max(0, Math.min(1000, tenths + shiftOf(driver_id, date))) / 10;
        await transaction.unprepared(
          {},
          `UPDATE ${table} SET ${column} = jsonb_set(jsonb_set(${column}::jsonb, '{fm_score}', $1::text::jsonb), '{fm_grade}', to_jsonb($2::text))::text
           WHERE fleet_id = $3 AND driver_id = $4 AND ${day} = $5`,
          [String(score), gradeOf(score), fleet_id, driver_id, own_day],
        );
      }
    },
  };
}

async function read(transaction: Transaction, table: string, { column, day, period }: Omit<Rollup, 'name'>) {
  return await transaction.unprepared(
    COLUMNS,
    `SELECT fleet_id, driver_id, ${period} AS date, ${day} AS own_day, round((${column}::json ->> 'fm_score')::numeric * 10)::integer AS tenths,
       ${column}::json ->> 'fm_grade' AS grade FROM ${table} ORDER BY fleet_id, driver_id, ${day}`,
  );
}

/** Returns the last row of each period. */
const periods = (rows: readonly Row[]) =>
  new Map(rows.map((row) => [`${row.fleet_id}/${row.driver_id}/${row.date}`, row]));

const percentile = (sorted: readonly number[], share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length / 10;
const rising = (left: number, right: number) => left - right;

/** Computes the report again without SQL. */
function recount(period: 'day' | 'week', live: readonly Row[], replayed: readonly Row[]): Changes {
  const [before, after] = [periods(live), periods(replayed)];
  const both = [...before].flatMap(([key, old]) => {
    const row = after.get(key);
    return row ? [{ key, old, row, change: row.tenths - old.tenths }] : [];
  });
  const changed = both.filter(({ change }) => change !== 0);
  const changes = changed.map(({ change }) => change).sort(rising);
  const sizes = changes.map(Math.abs).sort(rising);
  const buckets = [0, 1, 2, 5, 10, 20].map((at_least, index, steps) => ({ at_least, below: steps[index + 1] ?? null }));
  const count = (sign: number, { at_least, below }: { at_least: number; below: number | null }) =>
    changes.filter((change) => {
      const size = Math.abs(change) / 10;
      return Math.sign(change) === sign && size >= at_least && (below === null || size < below);
    }).length;
  const transitions = Map.groupBy(
    changed.filter(({ old, row }) => old.grade !== row.grade),
    ({ old, row }) => `${old.grade} ${row.grade}`,
  );
  const distinct = (values: readonly string[]) => new Set(values).size;
  const driverOf = ({ row }: { row: Row }) => `${row.fleet_id}/${row.driver_id}`;
  return {
    kind: 'score_changes',
    period,
    compared: both.length,
    changed: changed.length,
    changed_dates: distinct(changed.map(({ row }) => row.date)),
    drivers: distinct(both.map(driverOf)),
    changed_drivers: distinct(changed.map(driverOf)),
    only_live: [...before.keys()].filter((key) => !after.has(key)).length,
    only_replayed: [...after.keys()].filter((key) => !before.has(key)).length,
    change: {
      mean: expect.closeTo(mean(changes), 4),
      median: percentile(changes, 0.5) / 10,
      mean_size: expect.closeTo(mean(sizes), 4),
      p95_size: percentile(sizes, 0.95) / 10,
      largest_size: percentile(sizes, 1) / 10,
    },
    distribution: [
      ...buckets.toReversed().map((bucket) => ({ direction: 'fall' as const, ...bucket, count: count(-1, bucket) })),
      ...buckets.map((bucket) => ({ direction: 'rise' as const, ...bucket, count: count(1, bucket) })),
    ],
    grade_transitions: [...transitions]
      .map(([name, rows]) => ({ from: name.split(' ')[0] ?? '', to: name.split(' ')[1] ?? '', count: rows.length }))
      .sort(
        (left, right) => right.count - left.count || (`${left.from} ${left.to}` < `${right.from} ${right.to}` ? -1 : 1),
      ),
    largest: changed
      .toSorted((left, right) => Math.abs(right.change) - Math.abs(left.change) || (left.key < right.key ? -1 : 1))
      .slice(0, 20)
      .map(({ old, row: { fleet_id, driver_id, date, tenths, grade } }) => ({
        fleet_id,
        driver_id,
        date,
        old_score: old.tenths / 10,
        new_score: tenths / 10,
        old_grade: old.grade,
        new_grade: grade,
      })),
  };
}

const ROLLUPS = [
  { unit: 'day', name: 'daily_rollups', column: 'summary', day: 'date', period: 'date' },
  { unit: 'week', name: 'weekly_rollups', column: 'totals', day: 'through_date', period: 'start_date' },
] as const;

describeWithPostgres('the report on a changed version', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline();
    const trips = Array.from({ length: DRIVERS * DAYS }, (_, index) =>
      tripProcessed({
        source_trip_id: `trip ${index}`,
        driver_id: `driver-${index % DRIVERS}`,
        trip_start_time: DEFAULT_TRIP_START + Math.floor(index / DRIVERS) * DAY,
        event_summary: {
          phone_use_count: index % 5,
          rapid_acceleration_count: index % 3,
          hard_brake_count: index % 7,
          overspeeding_count: index % 4,
          phone_use_time_seconds: (index % 11) * 30,
          overspeeding_time_seconds: (index % 6) * 40,
        },
      }),
    );
    // Another fleet has drivers with the same ids, but they drive on fewer days.
    const alike = trips.filter((_, index) => index % 3 === 0).map((trip) => ({ ...trip, fleet_id: 'other-fleet' }));
    await deliver(pipeline.ingest, [...trips, ...alike]);
    await projectAll(pipeline);
  });
  afterAll(async () => await pipeline.close());

  /** Builds the projection's table next to the live one and reports the changes. */
  async function describeChanges(projection: Projection, cutoff: string | null, spoil: string[] = []) {
    const through = await readHeadPosition(pipeline.projector);
    const tables = { live: `${projection.name}_1`, replayed: `${projection.name}_2` };
    const built = projection.describeChanges;
    if (!built) throw new Error(`${projection.name} has nothing to say.`);
    return await inTransaction(pipeline.projector, async (transaction) => {
      await transaction.run(`DROP TABLE IF EXISTS ${tables.replayed};
        ${projection.createTable(tables.replayed)} ${projection.createIndexes(tables.replayed)}`);
      await projection.apply(transaction, { after: 0, through }, tables.replayed);
      for (const sql of spoil) await transaction.run(sql);
      return await built(transaction, tables, cutoff);
    });
  }
  const rowsOf = async (table: string, rollup: Rollup) =>
    await inTransaction(pipeline.projector, async (transaction) => await read(transaction, table, rollup));

  describe.each(ROLLUPS)('about the scores of a $unit', (rollup) => {
    it.each([
      ['all of them', null],
      ['the rows from the cutoff', '2025-01-20'],
    ])('equals a recount of %s', async (_, cutoff) => {
      const projection = shifted(projectionNamed(rollup.name), rollup);
      const report = await describeChanges(projection, cutoff, [
        `DELETE FROM ${rollup.name}_2 WHERE driver_id = 'driver-0'`,
        `DELETE FROM ${rollup.name}_1 WHERE driver_id = 'driver-1' AND ${rollup.day} > '2025-01-26'`,
      ]);
      const kept = (rows: readonly Row[]) => rows.filter(({ date }) => cutoff === null || date >= cutoff);
      const live = kept(await rowsOf(`${rollup.name}_1`, rollup));
      const replayed = kept(await rowsOf(`${rollup.name}_2`, rollup));
      const expected = recount(rollup.unit, live, replayed);
      expect(report).toEqual(expected);
      expect(Check(Changes, report)).toBe(true);
      expect(expected.only_live).toBeGreaterThan(0);
      expect(expected.only_replayed).toBeGreaterThan(0);
      expect(expected.grade_transitions.length).toBeGreaterThan(1);
      expect(expected.largest.length).toBe(Math.min(20, expected.changed));
    });
  });

  it('reports that no score changes', async () => {
    const report = await describeChanges(projectionNamed('weekly_rollups'), '2026-01-01');
    expect(report).toMatchObject({ compared: 0, changed: 0, change: null, grade_transitions: [], largest: [] });
  });
});
