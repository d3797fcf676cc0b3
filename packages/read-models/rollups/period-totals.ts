import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import type { Statement, Transaction } from '@milepost/postgres';
import type { PositionRange } from '@milepost/projection-engine';
import { CHANGED_TRIPS, currentTrip } from '../log/range.ts';

/** A span of UTC days that begins where `start` says, given the SQL of a day's number since 1970-01-01. */
export interface Period {
  name: 'day' | 'week';
  days: number;
  start: (day: string) => string;
}

export const DAY: Period = { name: 'day', days: 1, start: (day) => day };
/** Weeks begin on Monday; day 0, 1970-01-01, was a Thursday. */
export const WEEK: Period = { name: 'week', days: 7, start: (day) => `${day} - (${day} + 3) % 7` };

/** The figures of a trip that are summed. */
export const FIGURES = [
  'distance_miles',
  'duration_seconds',
  'night_driving_seconds',
  'highway_miles',
  'phone_use_count',
  'rapid_acceleration_count',
  'hard_brake_count',
  'overspeeding_count',
  'phone_use_time_seconds',
  'overspeeding_time_seconds',
] as const;

type Figures = Record<(typeof FIGURES)[number] | 'trip_count', number>;

/** Totals of a driver from the start of a period through the end of one of its days. */
export interface PeriodTotals extends Figures {
  fleet_id: string;
  driver_id: string;
  /** Number of the period's first day since 1970-01-01. */
  period_start: number;
  /** Number of the last day summed, on which the driver drove. */
  day: number;
}

/** A period whose trips have changed. The days before `first_changed_day` are as they were. */
export interface TouchedPeriod {
  fleet_id: string;
  driver_id: string;
  period_start: number;
  first_changed_day: number;
  /** One entry for each day driven from `first_changed_day` on, ascending. */
  totals: PeriodTotals[];
}

/**
 * The trips of a period are found through LATERAL, one index range for each touched period: left to choose, the planner
 * may scan the whole log for a batch of a few trips. Each touched period keeps at least one row, without a day where the
 * row lies before the change, so that a period left without trips is seen too. Sums of numeric are exact, so the order of trips never matters.
 */
function readTotals(period: Period): Statement {
  const dayOf = (time: string) => `${time} / ${MILLISECONDS_PER_DAY}`;
  const running = (sum: string) => `sum(${sum}) OVER through_day`;
  return {
    name: `rollups:read-${period.name}-totals`,
    text: `
      WITH changed AS (
        SELECT fleet_id, driver_id, ${dayOf('trip_start_time')} AS day FROM (${CHANGED_TRIPS}) trip
      ), touched AS (
        SELECT fleet_id, driver_id, ${period.start('day')} AS period_start, min(day) AS first_changed_day
        FROM changed GROUP BY fleet_id, driver_id, period_start
      ), summed AS (
        SELECT touched.*, day, row_number() OVER through_day AS place, ${running('trip_count')} AS trip_count,
          ${FIGURES.map((figure) => `${running(figure)} AS ${figure}`).join(', ')}
        FROM touched LEFT JOIN LATERAL (
          SELECT ${dayOf('event.trip_start_time')} AS day, count(*) AS trip_count,
            ${FIGURES.map((figure) => `sum(${figure}) AS ${figure}`).join(', ')}
          FROM log.stored_event event
          WHERE event.fleet_id = touched.fleet_id AND event.driver_id = touched.driver_id
            AND event.trip_start_time >= touched.period_start * ${MILLISECONDS_PER_DAY}
            AND event.trip_start_time < (touched.period_start + ${period.days}) * ${MILLISECONDS_PER_DAY}
            AND ${currentTrip('event')}
          GROUP BY 1) driven ON true
        WINDOW through_day AS (PARTITION BY fleet_id, driver_id, period_start ORDER BY day))
      SELECT fleet_id, driver_id, period_start, first_changed_day,
        CASE WHEN day >= first_changed_day THEN day END AS day, trip_count, ${FIGURES.join(', ')}
      FROM summed WHERE place = 1 OR day >= first_changed_day
      ORDER BY fleet_id, driver_id, period_start, day`,
  };
}

const STATEMENTS = { day: readTotals(DAY), week: readTotals(WEEK) };

type Row = Omit<PeriodTotals, 'day'> & { day: number | null; first_changed_day: number };

/**
 * Computes anew, from the trips that are current at `range.through`, every period in which a trip was added, changed,
 * moved or deleted in the range. A late, a corrected and a replayed trip are thereby the same case.
 */
export async function readTouchedPeriods(
  transaction: Transaction,
  period: Period,
  { after, through }: PositionRange,
): Promise<TouchedPeriod[]> {
  const rows = await transaction.rows<Row>(STATEMENTS[period.name], [after, through]);
  const periods: TouchedPeriod[] = [];
  for (const row of rows) {
    const { fleet_id, driver_id, period_start, first_changed_day, day } = row;
    let last = periods.at(-1);
    if (last?.fleet_id !== fleet_id || last.driver_id !== driver_id || last.period_start !== period_start) {
      last = { fleet_id, driver_id, period_start, first_changed_day, totals: [] };
      periods.push(last);
    }
    if (day !== null) last.totals.push({ ...row, day });
  }
  return periods;
}
