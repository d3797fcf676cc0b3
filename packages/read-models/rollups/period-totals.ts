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

/** A week in which the trips of some days have changed. */
interface TouchedWeek {
  fleet_id: string;
  driver_id: string;
  week_start: number;
  /** Ascending; on some of them nothing may be driven any more. */
  changed_days: number[];
  /** The days driven, ascending, from the first changed one on. */
  days: { day: number; own: Figures; throughDay: Figures }[];
}

const ALL_FIGURES = ['trip_count', ...FIGURES] as const;
const DAY_OF_TRIP = `trip_start_time / ${MILLISECONDS_PER_DAY}`;

/**
 * The trips of a week are found through LATERAL, one index range for each touched week: left to choose, the planner may
 * scan the whole log for a batch of a few trips. Each touched week keeps at least one row, without a day where the row lies
 * before the change, so that a week left without trips is seen too. Sums of numeric are exact, so the order of trips never
 * matters.
 */
const READ_TOUCHED_WEEKS: Statement = {
  name: 'rollups:read-touched-weeks',
  text: `
    WITH changed AS (
      SELECT DISTINCT fleet_id, driver_id, ${DAY_OF_TRIP} AS day FROM (${CHANGED_TRIPS}) trip
    ), touched AS (
      SELECT fleet_id, driver_id, ${WEEK.start('day')} AS week_start, array_agg(day::integer ORDER BY day) AS changed_days,
        min(day) AS first_changed_day
      FROM changed GROUP BY fleet_id, driver_id, week_start
    ), summed AS (
      SELECT touched.*, day, row_number() OVER through_day AS place,
        ${ALL_FIGURES.map((figure) => `${figure} AS own_${figure}, sum(${figure}) OVER through_day AS ${figure}`).join(', ')}
      FROM touched LEFT JOIN LATERAL (
        SELECT event.${DAY_OF_TRIP} AS day, count(*) AS trip_count,
          ${FIGURES.map((figure) => `sum(${figure}) AS ${figure}`).join(', ')}
        FROM log.stored_event event
        WHERE event.fleet_id = touched.fleet_id AND event.driver_id = touched.driver_id
          AND event.trip_start_time >= touched.week_start * ${MILLISECONDS_PER_DAY}
          AND event.trip_start_time < (touched.week_start + ${WEEK.days}) * ${MILLISECONDS_PER_DAY}
          AND ${currentTrip('event')}
        GROUP BY 1) driven ON true
      WINDOW through_day AS (PARTITION BY fleet_id, driver_id, week_start ORDER BY day))
    SELECT fleet_id, driver_id, week_start, changed_days, CASE WHEN day >= first_changed_day THEN day END AS day,
      ${ALL_FIGURES.map((figure) => `own_${figure}, ${figure}`).join(', ')}
    FROM summed WHERE place = 1 OR day >= first_changed_day
    ORDER BY fleet_id, driver_id, week_start, day`,
};

type OwnFigures = { [Figure in keyof Figures as `own_${Figure}`]: Figures[Figure] };
type Row = Omit<TouchedWeek, 'days'> & Figures & OwnFigures & { day: number | null };

function ownFigures(row: OwnFigures): Figures {
  return {
    trip_count: row.own_trip_count,
    distance_miles: row.own_distance_miles,
    duration_seconds: row.own_duration_seconds,
    night_driving_seconds: row.own_night_driving_seconds,
    highway_miles: row.own_highway_miles,
    phone_use_count: row.own_phone_use_count,
    rapid_acceleration_count: row.own_rapid_acceleration_count,
    hard_brake_count: row.own_hard_brake_count,
    overspeeding_count: row.own_overspeeding_count,
    phone_use_time_seconds: row.own_phone_use_time_seconds,
    overspeeding_time_seconds: row.own_overspeeding_time_seconds,
  };
}

async function readTouchedWeeks(transaction: Transaction, { after, through }: PositionRange): Promise<TouchedWeek[]> {
  const rows = await transaction.rows<Row>(READ_TOUCHED_WEEKS, [after, through]);
  const weeks: TouchedWeek[] = [];
  for (const row of rows) {
    const { fleet_id, driver_id, week_start, changed_days, day } = row;
    let last = weeks.at(-1);
    if (last?.fleet_id !== fleet_id || last.driver_id !== driver_id || last.week_start !== week_start) {
      last = { fleet_id, driver_id, week_start, changed_days, days: [] };
      weeks.push(last);
    }
    if (day !== null) last.days.push({ day, own: ownFigures(row), throughDay: row });
  }
  return weeks;
}

/** Daily and weekly rollups of a batch ask the same, in the same transaction: it is read once. */
const asked = new WeakMap<Transaction, { range: PositionRange; weeks: Promise<TouchedWeek[]> }>();

async function touchedWeeks(transaction: Transaction, range: PositionRange): Promise<TouchedWeek[]> {
  const before = asked.get(transaction);
  if (before?.range.after === range.after && before.range.through === range.through) return await before.weeks;
  const weeks = readTouchedWeeks(transaction, range);
  asked.set(transaction, { range, weeks });
  return await weeks;
}

function daysOf({ fleet_id, driver_id, changed_days, days }: TouchedWeek): TouchedPeriod[] {
  return changed_days.map((changed) => {
    const driven = days.find(({ day }) => day === changed);
    const totals = driven ? [{ ...driven.own, fleet_id, driver_id, period_start: changed, day: changed }] : [];
    return { fleet_id, driver_id, period_start: changed, first_changed_day: changed, totals };
  });
}

function weekOf({ fleet_id, driver_id, week_start, changed_days, days }: TouchedWeek): TouchedPeriod {
  return {
    fleet_id,
    driver_id,
    period_start: week_start,
    first_changed_day: changed_days[0] ?? week_start,
    totals: days.map(({ day, throughDay }) => ({ ...throughDay, fleet_id, driver_id, period_start: week_start, day })),
  };
}

/**
 * Computes anew, from the trips that are current at `range.through`, every day or week in which a trip was added, changed,
 * moved or deleted in the range. A late, a corrected and a replayed trip are thereby the same case.
 */
export async function readTouchedPeriods(
  transaction: Transaction,
  period: Period,
  range: PositionRange,
): Promise<TouchedPeriod[]> {
  const weeks = await touchedWeeks(transaction, range);
  return period.name === 'day' ? weeks.flatMap(daysOf) : weeks.map(weekOf);
}
