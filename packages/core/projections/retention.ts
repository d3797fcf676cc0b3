import {
  addDays,
  type CalendarDate,
  dateOf,
  MILLISECONDS_PER_DAY,
  mondayOf,
  sixMonthsBefore,
} from '@milepost/domain/calendar';

/**
 * Days kept in addition to those that the API serves. They allow for clock differences and repeated requests, and make
 * it unnecessary to remove rows every day.
 */
const MARGIN_DAYS = 31;

/** The `keepsFrom` of daily figures: the API serves summaries for six months (docs/adr/0011). */
export function keepSummaries(now: number): CalendarDate {
  return mondayOf(addDays(sixMonthsBefore(dateOf(now)), -MARGIN_DAYS));
}

/** The `keepsFrom` of trips: without a limit set by the operator, the API serves the detail of trips of any age. */
export function keepTrips(now: number, detailDays: number | null): CalendarDate | null {
  return detailDays === null ? null : mondayOf(dateOf(now - detailDays * MILLISECONDS_PER_DAY));
}
