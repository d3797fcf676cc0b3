import {
  addDays,
  type CalendarDate,
  dateOf,
  MILLISECONDS_PER_DAY,
  mondayOf,
  sixMonthsBefore,
} from '@milepost/domain/calendar';

/**
 * How many days are kept beyond those that the API serves. The extra days allow for clock differences and repeated
 * requests, and make it unnecessary to remove rows every day.
 */
const MARGIN_DAYS = 31;

/** Implements `keepsFrom` for the rollups, whose summaries the API serves for six months (docs/adr/0011). */
export function keepSummaries(now: number): CalendarDate {
  return mondayOf(addDays(sixMonthsBefore(dateOf(now)), -MARGIN_DAYS));
}

/**
 * Implements `keepsFrom` for trips. Unless the operator sets a limit, the API serves the details of trips of any age.
 */
export function keepTrips(now: number, detailDays: number | null): CalendarDate | null {
  return detailDays === null ? null : mondayOf(dateOf(now - detailDays * MILLISECONDS_PER_DAY));
}
