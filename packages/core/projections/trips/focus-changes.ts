import { json, type Transaction } from '@milepost/postgres';
import type { ComparedTables } from '../engine/index.ts';
import { DATE_OF_START } from '../log/range.ts';
import { FLAGS } from './focus-area.ts';

function focusAreas(table: string): string {
  return `SELECT fleet_id, trip_id, driver_id, focus_area FROM ${table}
    WHERE ${DATE_OF_START} >= coalesce($1::date, '-infinity'::date)`;
}

function countFlags(): string {
  const counts = FLAGS.map((flag, bit) => {
    const has = (area: string) => `${area} & ${1 << bit} <> 0`;
    const count = (from: string, to: string) => `count(*) FILTER (WHERE ${has(to)} AND NOT ${has(from)})`;
    return `json_build_object('flag', '${flag}', 'raised', ${count('old_area', 'new_area')}, 'lowered', ${count('new_area', 'old_area')})`;
  });
  return `(SELECT json_build_array(${counts.join(', ')}) FROM changed)`;
}

/** The `describeChanges` of trips: returns how many focus areas change, and which. */
export async function describeFocusChanges(
  transaction: Transaction,
  { live, replayed }: ComparedTables,
  cutoff: string | null,
): Promise<object> {
  const [row] = await transaction.unprepared(
    { report: json<object>() },
    `WITH pair AS MATERIALIZED (
       SELECT fleet_id, live.driver_id, live.focus_area AS old_area, replayed.focus_area AS new_area
       FROM (${focusAreas(live)}) live FULL JOIN (${focusAreas(replayed)}) replayed USING (fleet_id, trip_id)
     ), changed AS (SELECT * FROM pair WHERE old_area <> new_area)
     SELECT json_build_object(
       'kind', 'focus_changes',
       'compared', (SELECT count(*) FROM pair WHERE old_area IS NOT NULL AND new_area IS NOT NULL),
       'changed', (SELECT count(*) FROM changed),
       'changed_drivers', (SELECT count(*) FROM (SELECT DISTINCT fleet_id, driver_id FROM changed) driver),
       'only_live', (SELECT count(*) FROM pair WHERE new_area IS NULL),
       'only_replayed', (SELECT count(*) FROM pair WHERE old_area IS NULL),
       'flags', ${countFlags()}) AS report`,
    [cutoff],
  );
  if (!row) throw new Error('The comparison of focus areas returned no row.');
  return row.report;
}
