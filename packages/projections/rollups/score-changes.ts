import { json, type Transaction } from '@milepost/postgres';
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';
import type { ComparedTables } from '../engine/index.ts';

const MOST_NAMED = 20;
/** Where the buckets of a change begin, in points of score. */
const STEPS = [0, 1, 2, 5, 10, 20];

const Count = Type.Integer();
const Text = Type.String();
/** Null where nothing was driven, or nothing has changed. */
const Score = Type.Union([Type.Number(), Type.Null()]);
const Grade = Type.Union([Text, Type.Null()]);

/** How the scores of two generations of a rollup differ: what a new score version would mean. Scores in points, 0 to 100. */
export const ScoreChanges = Type.Object({
  kind: Type.Literal('score_changes'),
  /** What has a score: a driver's day, or a driver's whole week as far as it was driven. */
  period: Type.Union([Type.Literal('day'), Type.Literal('week')]),
  /** Periods that both have. */
  compared: Count,
  /** Those of them whose score or grade differs. */
  changed: Count,
  /** Days or weeks of the calendar among the changed. */
  changed_dates: Count,
  drivers: Count,
  changed_drivers: Count,
  only_live: Count,
  only_replayed: Count,
  /** Of the changed scores, new less old; null when none has. */
  change: Type.Union([
    Type.Object({
      mean: Type.Number(),
      median: Type.Number(),
      /** Of the size of the change, whatever its sign, as are the next two. */
      mean_size: Type.Number(),
      p95_size: Type.Number(),
      largest_size: Type.Number(),
    }),
    Type.Null(),
  ]),
  /** Changed scores by how far they fell or rose: more than 0 or `at_least`, and less than `below` (null: no limit). */
  distribution: Type.Array(
    Type.Object({
      direction: Type.Union([Type.Literal('fall'), Type.Literal('rise')]),
      at_least: Type.Number(),
      below: Score,
      count: Count,
    }),
  ),
  grade_transitions: Type.Array(Type.Object({ from: Grade, to: Grade, count: Count })),
  /** The twenty largest. `date` is the day, or the Monday of the week. */
  largest: Type.Array(
    Type.Object({
      fleet_id: Text,
      driver_id: Text,
      date: Text,
      old_score: Score,
      new_score: Score,
      old_grade: Grade,
      new_grade: Grade,
    }),
  ),
});
export type ScoreChanges = Static<typeof ScoreChanges>;

/** Whether a kept report is one on scores, as this release writes them. */
export function isScoreChanges(report: unknown): report is ScoreChanges {
  return Check(ScoreChanges, report);
}

function scored(periods: string): string {
  return `SELECT fleet_id, driver_id, date, fm_score AS score, fm_grade AS grade
    FROM (${periods}) period, json_to_record(figures::json) AS summary (fm_score numeric, fm_grade text)
    WHERE date >= coalesce($1::date, '-infinity'::date)`;
}

/** Every size of change has its bucket, so that two reports can be laid side by side. */
const BUCKETS = `(VALUES ${['fall', 'rise']
  .flatMap((direction, place) =>
    STEPS.map(
      (step, index) => `(${place}, '${direction}', ${index + 1}, ${step}, ${STEPS[index + 1] ?? 'NULL'}::integer)`,
    ),
  )
  .join(', ')}) AS bucket (place, direction, number, at_least, below)`;

function compareScores(period: ScoreChanges['period'], live: string, replayed: string): string {
  return `
    WITH pair AS MATERIALIZED (
      SELECT fleet_id, driver_id, date, live.score AS old_score, replayed.score AS new_score, live.grade AS old_grade,
        replayed.grade AS new_grade, live.date IS NOT NULL AS is_live, replayed.date IS NOT NULL AS is_replayed,
        replayed.score - live.score AS change
      FROM (${scored(live)}) live
      FULL JOIN (${scored(replayed)}) replayed USING (fleet_id, driver_id, date)
    ), both_sides AS (
      SELECT * FROM pair WHERE is_live AND is_replayed
    ), changed AS MATERIALIZED (
      SELECT * FROM both_sides WHERE old_score IS DISTINCT FROM new_score OR old_grade IS DISTINCT FROM new_grade
    ), moved AS (
      SELECT change, abs(change) AS size FROM changed WHERE change <> 0)
    SELECT json_build_object(
      'kind', 'score_changes',
      'period', '${period}',
      'compared', (SELECT count(*) FROM both_sides),
      'changed', (SELECT count(*) FROM changed),
      'changed_dates', (SELECT count(DISTINCT date) FROM changed),
      'drivers', (SELECT count(*) FROM (SELECT DISTINCT fleet_id, driver_id FROM both_sides) driver),
      'changed_drivers', (SELECT count(*) FROM (SELECT DISTINCT fleet_id, driver_id FROM changed) driver),
      'only_live', (SELECT count(*) FROM pair WHERE NOT is_replayed),
      'only_replayed', (SELECT count(*) FROM pair WHERE NOT is_live),
      'change', (SELECT json_build_object(
          'mean', round(avg(change), 4),
          'median', percentile_disc(0.5) WITHIN GROUP (ORDER BY change),
          'mean_size', round(avg(size), 4),
          'p95_size', percentile_disc(0.95) WITHIN GROUP (ORDER BY size),
          'largest_size', max(size)) FROM moved HAVING count(*) > 0),
      'distribution', (SELECT json_agg(json_build_object('direction', direction, 'at_least', at_least, 'below', below,
            'count', coalesce(count, 0)) ORDER BY place, CASE place WHEN 0 THEN -number ELSE number END)
          FROM ${BUCKETS} LEFT JOIN (
            SELECT (change > 0)::integer AS place, width_bucket(size, ARRAY[${STEPS.join(', ')}]::numeric[]) AS number, count(*) AS count
            FROM moved GROUP BY 1, 2) counted USING (place, number)),
      'grade_transitions', (SELECT coalesce(json_agg(json_build_object('from', old_grade, 'to', new_grade, 'count', count)
            ORDER BY count DESC, old_grade, new_grade), '[]') FROM (
          SELECT old_grade, new_grade, count(*) AS count FROM changed
          WHERE old_grade IS DISTINCT FROM new_grade GROUP BY old_grade, new_grade) transition),
      'largest', (SELECT coalesce(json_agg(json_build_object('fleet_id', fleet_id, 'driver_id', driver_id, 'date', date,
            'old_score', old_score, 'new_score', new_score, 'old_grade', old_grade, 'new_grade', new_grade)
            ORDER BY abs(change) DESC NULLS FIRST, fleet_id, driver_id, date), '[]') FROM (
          SELECT * FROM changed ORDER BY abs(change) DESC NULLS FIRST, fleet_id, driver_id, date LIMIT ${MOST_NAMED}) largest)
    ) AS report`;
}

/**
 * Makes the `describeChanges` of a rollup: how many periods and drivers change their score or grade, by how much, and
 * which of them the most. It reads both tables once.
 *
 * @param periods SQL that lists `fleet_id`, `driver_id`, `date` and, as JSON text, `figures` of each period of a table
 */
export function describeScoreChanges(period: ScoreChanges['period'], periods: (table: string) => string) {
  return async (
    transaction: Transaction,
    { live, replayed }: ComparedTables,
    cutoff: string | null,
  ): Promise<ScoreChanges> => {
    const text = compareScores(period, periods(live), periods(replayed));
    const [row] = await transaction.unprepared({ report: json<unknown>() }, text, [cutoff]);
    if (!isScoreChanges(row?.report)) throw new Error('The report on scores is not what it should be.');
    return row.report;
  };
}
