import { answerableDates } from '@milepost/domain/answer-times';
import { addDays, type CalendarDate, isMonday } from '@milepost/domain/calendar';
import { expect, it } from 'vitest';
import { calendarMondays, daysOfWeek, periodsToLoad, requiredPeriods } from './periods.ts';

const DAY = 86_400_000;
// 20 January 2025 is a Monday. 20 July 2024 is a Saturday.
const HISTORY = answerableDates(Date.UTC(2025, 0, 20, 12));

function daysBetween(first: CalendarDate, last: CalendarDate): CalendarDate[] {
  return first > last ? [] : [first, ...daysBetween(addDays(first, 1), last)];
}

it('requiredPeriods covers each day of the last six months once, with no period that the service rejects', () => {
  for (let now = Date.UTC(2024, 0, 1, 12); now < Date.UTC(2025, 0, 1); now += DAY) {
    const history = answerableDates(now);
    const { days, mondays } = requiredPeriods(history);
    expect(days.length).toBeLessThan(7);
    expect(mondays.every(isMonday)).toBe(true);
    expect(mondays.every((monday) => monday >= history.earliest && monday <= history.yesterday)).toBe(true);
    const covered = [...days, ...mondays.flatMap(daysOfWeek)];
    const through = covered.filter((day) => day <= history.yesterday);
    expect(through).toEqual(daysBetween(history.earliest, history.yesterday));
  }
});

it('periodsToLoad covers each day from the first trip onward, with no earlier period', () => {
  for (const first of daysBetween(HISTORY.earliest, HISTORY.yesterday)) {
    const { days, mondays } = periodsToLoad(HISTORY, first);
    const weeks = mondays.map(daysOfWeek);
    expect(weeks.every((week) => week.some((day) => day >= first))).toBe(true);
    const covered = [...days, ...weeks.flat()].filter((day) => day >= first);
    expect(covered).toEqual(daysBetween(first, HISTORY.yesterday));
    expect(days.every((day) => day >= first)).toBe(true);
  }
});

it('periodsToLoad is only the latest week until the date of the first trip is known', () => {
  expect(periodsToLoad(HISTORY, null)).toEqual({ days: [], mondays: ['2025-01-13'] });
});

it('calendarMondays begins with the earliest week and ends with the current one', () => {
  const mondays = calendarMondays(HISTORY, null);
  expect([mondays[0], mondays.at(-1), mondays.length]).toEqual(['2024-07-15', '2025-01-20', 28]);
});

it('calendarMondays begins with the week of the first trip', () => {
  expect(calendarMondays(HISTORY, '2025-01-08')).toEqual(['2025-01-06', '2025-01-13', '2025-01-20']);
  expect(calendarMondays(HISTORY, '2025-01-20')).toEqual(['2025-01-20']);
  expect(calendarMondays(HISTORY, '2020-01-01')).toHaveLength(28);
});
