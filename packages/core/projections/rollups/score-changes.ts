import { column, type Transaction } from '@milepost/postgres';
import type { ComparedTables } from '../engine/index.ts';

const MAX_NAMED = 20;
/** Changes are counted in buckets that begin at these numbers of points. */
const STEPS = [0, 1, 2, 5, 10, 20];

function scored(periods: string): string {
  return `SELECT fleet_id, driver_id, date, fm_score AS score, fm_grade AS grade
    FROM (${periods}) period, json_to_record(figures::json) AS summary (fm_score numeric, fm_grade text)
    WHERE date >= coalesce($1::date, '-infinity'::date)`;
}

/** Each report contains all buckets, even empty ones, so that operators can compare two reports. */
const BUCKETS = `(VALUES ${['fall', 'rise']
  .flatMap((direction, place) =>
    STEPS.map(
      (step, index) => `(${place}, '${direction}', ${index + 1}, ${step}, ${STEPS[index + 1] ?? 'NULL'}::integer)`,
    ),
  )
  .join(', ')}) AS bucket (place, direction, number, at_least, below)`;

function compareScores(period: 'day' | 'week', live: string, replayed: string): string {
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
          SELECT * FROM changed ORDER BY abs(change) DESC NULLS FIRST, fleet_id, driver_id, date LIMIT ${MAX_NAMED}) largest)
    ) AS report`;
}

/**
 * Returns the `describeChanges` of a rollup. It counts the periods and drivers whose score or grade changes, and
 * reports the sizes of the changes and the largest changes. The function reads both tables once.
 *
 * @param periods returns SQL that lists, for each period in a table, `fleet_id`, `driver_id`, `date`, and `figures` as
 *   JSON text
 */
export function describeScoreChanges(period: 'day' | 'week', periods: (table: string) => string) {
  return async (
    transaction: Transaction,
    { live, replayed }: ComparedTables,
    cutoff: string | null,
  ): Promise<object> => {
    const text = compareScores(period, periods(live), periods(replayed));
    const [row] = await transaction.unprepared({ report: column<object>('json') }, text, [cutoff]);
    if (!row) throw new Error('The comparison of scores returned no row.');
    return row.report;
  };
}
