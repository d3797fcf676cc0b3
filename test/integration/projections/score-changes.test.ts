import { Changes } from '@milepost/operations/replay-schemas';
import { inTransaction } from '@milepost/postgres';
import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { projectionNamed } from '../../support/fold.ts';
import { describeWithPipeline } from '../../support/pipeline-suites.ts';

type Scored = readonly [fleet: string, driver: string, date: string, score: number, grade: string];

/** Days and Mondays. The fleets contain drivers with the same id. */
const [OLD, FIRST, SECOND] = ['2025-01-06', '2025-01-13', '2025-01-20'] as const;
const LIVE: readonly Scored[] = [
  ['a', 'one', FIRST, 90, 'excellent'],
  ['a', 'one', SECOND, 80, 'good'],
  ['a', 'two', FIRST, 70, 'good'],
  ['a', 'same', FIRST, 50, 'fair'],
  ['b', 'one', FIRST, 60, 'fair'],
  ['b', 'gone', SECOND, 100, 'excellent'],
  ['a', 'old', OLD, 40, 'poor'],
];
const REPLAYED: readonly Scored[] = [
  ['a', 'one', FIRST, 91, 'excellent'],
  ['a', 'one', SECOND, 60, 'fair'],
  ['a', 'two', FIRST, 69.1, 'fair'],
  ['a', 'same', FIRST, 50, 'fair'],
  ['b', 'one', FIRST, 70, 'good'],
  ['b', 'new', SECOND, 55, 'fair'],
  ['a', 'old', OLD, 45, 'poor'],
];

const json = (score: number, grade: string) => `'{"fm_score":${score},"fm_grade":"${grade}"}'`;

const ROLLUPS = [
  {
    unit: 'day',
    name: 'daily_rollups',
    insert: (table: string, [fleet, driver, date, score, grade]: Scored) =>
      `INSERT INTO ${table} VALUES ('${date}', '${fleet}', '${driver}', ${json(score, grade)});`,
  },
  {
    unit: 'week',
    name: 'weekly_rollups',
    // Only the last row for a week contains the totals of the whole week.
    insert: (table: string, [fleet, driver, date, score, grade]: Scored) =>
      `INSERT INTO ${table} VALUES ('${date}', '${date}', '${fleet}', '${driver}', '', ${json(1, 'poor')}),
         ('${date}', date '${date}' + 2, '${fleet}', '${driver}', '', ${json(score, grade)});`,
  },
] as const;

const bucket = (direction: string, at_least: number, below: number | null, count: number) => ({
  direction,
  at_least,
  below,
  count,
});

describeWithPipeline('the report on a changed version', (pipeline) => {
  describe.each(ROLLUPS)('about the scores of a $unit', ({ unit, name, insert }) => {
    const { createTable, describeChanges } = projectionNamed(name);
    const report = async (cutoff: string | null) =>
      await inTransaction(pipeline.projector, async (transaction) => {
        const tables = { live: `${name}_8`, replayed: `${name}_9` };
        for (const [table, rows] of [
          [tables.live, LIVE],
          [tables.replayed, REPLAYED],
        ] as const) {
          await transaction.run(`DROP TABLE IF EXISTS ${table}; ${createTable(table)}`);
          await transaction.run(rows.map((row) => insert(table, row)).join(' '));
        }
        return await describeChanges?.(transaction, tables, cutoff);
      });

    it('counts periods and drivers and lists the largest changes, from the cutoff onward', async () => {
      const changes = await report(FIRST);
      expect(Check(Changes, changes)).toBe(true);
      const largest = (scored: Scored, new_score: number, new_grade: string) => {
        const [fleet_id, driver_id, date, old_score, old_grade] = scored;
        return { fleet_id, driver_id, date, old_score, new_score, old_grade, new_grade };
      };
      expect(changes).toEqual({
        kind: 'score_changes',
        period: unit,
        ...{ compared: 5, changed: 4, changed_dates: 2, drivers: 4, changed_drivers: 3 },
        ...{ only_live: 1, only_replayed: 1 },
        change: { mean: -2.475, median: -0.9, mean_size: 7.975, p95_size: 20, largest_size: 20 },
        distribution: [
          bucket('fall', 20, null, 1),
          bucket('fall', 10, 20, 0),
          bucket('fall', 5, 10, 0),
          bucket('fall', 2, 5, 0),
          bucket('fall', 1, 2, 0),
          bucket('fall', 0, 1, 1),
          bucket('rise', 0, 1, 0),
          bucket('rise', 1, 2, 1),
          bucket('rise', 2, 5, 0),
          bucket('rise', 5, 10, 0),
          bucket('rise', 10, 20, 1),
          bucket('rise', 20, null, 0),
        ],
        grade_transitions: [
          { from: 'good', to: 'fair', count: 2 },
          { from: 'fair', to: 'good', count: 1 },
        ],
        largest: [
          largest(['a', 'one', SECOND, 80, 'good'], 60, 'fair'),
          largest(['b', 'one', FIRST, 60, 'fair'], 70, 'good'),
          largest(['a', 'one', FIRST, 90, 'excellent'], 91, 'excellent'),
          largest(['a', 'two', FIRST, 70, 'good'], 69.1, 'fair'),
        ],
      });
    });

    it('includes all rows if there is no cutoff, and none if the cutoff is after the last row', async () => {
      expect(await report(null)).toMatchObject({ compared: 6, changed: 5 });
      const none = { compared: 0, changed: 0, change: null, grade_transitions: [], largest: [] };
      expect(await report('2026-01-01')).toMatchObject(none);
    });
  });
});
