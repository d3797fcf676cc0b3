export { addDays, isMonday, mondayOf, sixMonthsBefore } from './arithmetic.ts';
export {
  type CalendarDate,
  DAYS_PER_WEEK,
  dateOf,
  isCalendarDate,
  MILLISECONDS_PER_DAY,
  parseCalendarDate,
  startOfDay,
} from './calendar-date.ts';
