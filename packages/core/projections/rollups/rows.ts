import { DAYS_PER_WEEK, dateOfDay } from '@milepost/domain/calendar';
import { number, type RowOf } from '@milepost/postgres';
import { renderedRows } from '../log/rendered-rows.ts';
import { renderDay, renderWeek, toDrivingFigures } from './sums.ts';
import { DRIVEN_DAY, type DrivenDay } from './touched-days.ts';

/** Writes the summaries of drivers' days. */
export const dailyRows = renderedRows<DrivenDay>({
  projection: 'daily_rollups',
  key: ['fleet_id', 'driver_id', 'date'],
  columns: {
    fleet_id: ['text', ({ fleet_id }) => fleet_id],
    driver_id: ['text', ({ driver_id }) => driver_id],
    date: ['date', ({ day }) => dateOfDay(day)],
  },
  text: ['summary', ({ day, sums }) => renderDay({ ...toDrivingFigures(sums), date: dateOfDay(day) })],
});

/** A driver's week to date, from Monday through one of the days with trips. */
export const DRIVEN_WEEK = {
  ...DRIVEN_DAY,
  /** The Monday, in days since 1970-01-01. `day` is the last day in the sums and always has trips. */
  week_start: number,
};
export type DrivenWeek = RowOf<typeof DRIVEN_WEEK>;

/** Writes drivers' week-to-date rows, one for each day with trips. */
export const weeklyRows = renderedRows<DrivenWeek>({
  projection: 'weekly_rollups',
  key: ['fleet_id', 'driver_id', 'start_date', 'through_date'],
  columns: {
    fleet_id: ['text', ({ fleet_id }) => fleet_id],
    driver_id: ['text', ({ driver_id }) => driver_id],
    start_date: ['date', ({ week_start }) => dateOfDay(week_start)],
    through_date: ['date', ({ day }) => dateOfDay(day)],
    sums: ['text', ({ sums }) => sums],
  },
  text: [
    'totals',
    ({ week_start, sums }) =>
      renderWeek({
        ...toDrivingFigures(sums),
        start_date: dateOfDay(week_start),
        end_date: dateOfDay(week_start + DAYS_PER_WEEK - 1),
      }),
  ],
});
