import { addDays, type CalendarDate } from '@milepost/domain/calendar';
import { scoreDriving } from '@milepost/domain/score';
import type { Pool } from '@milepost/postgres';
import type { DrivingTotals } from '../../../packages/core/domain/score/score-driving.ts';

/** A plain table of trips with an exact numeric column for each sum, and the index that summaries need. */
export const PLAIN_TABLE = `
  CREATE SCHEMA peer;
  GRANT USAGE ON SCHEMA peer TO milepost_api;
  CREATE TABLE peer.trips AS
    SELECT trip_id, fleet_id, driver_id, to_timestamp(trip_start_time / 1000.0) AS start,
      distance_miles, duration_seconds, night_driving_seconds, highway_miles,
      phone_use_count::integer, rapid_acceleration_count::integer, hard_brake_count::integer, overspeeding_count::integer,
      phone_use_time_seconds, overspeeding_time_seconds
    FROM stored_event WHERE kind = 1 AND effective ORDER BY position;
  ALTER TABLE peer.trips ADD PRIMARY KEY (trip_id);
  CREATE INDEX ON peer.trips (fleet_id, driver_id, start);
  GRANT SELECT ON peer.trips TO milepost_api`;

const SUMS = [
  ...['distance_miles', 'duration_seconds', 'night_driving_seconds', 'highway_miles'],
  ...['phone_use_count', 'rapid_acceleration_count', 'hard_brake_count', 'overspeeding_count'],
  ...['phone_use_time_seconds', 'overspeeding_time_seconds'],
];

/** `$1` is the fleet, `$2` the drivers, `$3` the first day, and `$4` the day after the last day. */
function statement(name: string, groups: string) {
  return {
    name,
    text: `SELECT driver.profile, driven.* FROM unnest($2::text[]) WITH ORDINALITY AS wanted (driver_id, place)
           JOIN drivers driver ON driver.fleet_id = $1 AND driver.driver_id = wanted.driver_id
           LEFT JOIN (
             SELECT driver_id, (start AT TIME ZONE 'UTC')::date AS date, count(*) AS trip_count,
               ${SUMS.map((figure) => `sum(${figure}) AS ${figure}`).join(', ')}
             FROM peer.trips WHERE fleet_id = $1 AND driver_id = ANY($2) AND start >= $3::date AND start < $4::date
             GROUP BY ${groups}) driven ON driven.driver_id = wanted.driver_id
           ORDER BY wanted.place, driven.date NULLS FIRST`,
  };
}

const DAILY = statement('group-by-day', "driver_id, (start AT TIME ZONE 'UTC')::date");
const WEEKLY = statement('group-by-week', "GROUPING SETS ((driver_id, (start AT TIME ZONE 'UTC')::date), (driver_id))");

interface Row extends DrivingTotals {
  profile: string;
  driver_id: string | null;
  /** The date is null in the row for the whole week. */
  date: string | null;
  trip_count: number;
  highway_miles: number;
}

function toSummary({ profile: _, driver_id: __, date: ___, trip_count, ...sums }: Row) {
  const { distance_miles, duration_seconds, night_driving_seconds, highway_miles, ...events_summary } = sums;
  const figures = { distance_miles, duration_seconds, night_driving_seconds, highway_miles };
  const { fm_score, fm_grade, focus } = scoreDriving(sums);
  return { fm_score, fm_grade, trip_count, ...figures, events_summary, focus_area: focus };
}

/** Computes the daily summaries with a GROUP BY over the trips. The drivers must have driven on that day. */
export async function groupByDay(pool: Pool, fleetId: string, driverIds: string[], date: CalendarDate) {
  const { rows } = await pool.query<Row>({ ...DAILY, values: [fleetId, driverIds, date, addDays(date, 1)] });
  const data = rows.map(
    (row) => `{"driver_info":${row.profile},"driving_summary":${JSON.stringify({ ...toSummary(row), date })}}`,
  );
  return `{"data":[${data}]}`;
}

/**
 * Computes the weekly summaries, including their days, with a GROUP BY over the trips. The drivers must have driven in
 * that week.
 */
export async function groupByWeek(pool: Pool, fleetId: string, driverIds: string[], monday: CalendarDate) {
  const { rows } = await pool.query<Row>({ ...WEEKLY, values: [fleetId, driverIds, monday, addDays(monday, 7)] });
  const data: string[] = [];
  for (let first = 0; first < rows.length; ) {
    const week = rows[first];
    if (!week) break;
    let end = first + 1;
    while (rows[end]?.date) end += 1;
    const days = rows.slice(first + 1, end).map((row) => ({ ...toSummary(row), date: row.date }));
    const dates = { start_date: monday, end_date: addDays(monday, 6) };
    const summary = { ...toSummary(week), ...dates, daily_summary_breakdown: days };
    data.push(`{"driver_info":${week.profile},"driving_summary":${JSON.stringify(summary)}}`);
    first = end;
  }
  return `{"data":[${data}]}`;
}
