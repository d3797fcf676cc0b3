import {
  addDays,
  type CalendarDate,
  dateOf,
  MILLISECONDS_PER_DAY,
  mondayOf,
  sixMonthsBefore,
} from '@milepost/domain/calendar';

/** Kept beyond what the interface can ask for: for clocks, for those who look once more, and so that it is not done daily. */
const MARGIN_DAYS = 31;

/** The `keepsFrom` of figures of days: summaries are answered for six months (docs/adr/0011). */
export function keepSummaries(now: number): CalendarDate {
  return mondayOf(addDays(sixMonthsBefore(dateOf(now)), -MARGIN_DAYS));
}

/** The `keepsFrom` of trips: the detail of one may be asked for whatever its age, unless the operator says otherwise. */
export function keepTrips(now: number, detailDays: number | null): CalendarDate | null {
  return detailDays === null ? null : mondayOf(dateOf(now - detailDays * MILLISECONDS_PER_DAY));
}
