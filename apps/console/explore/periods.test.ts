import { addDays, isMonday } from '@milepost/domain/calendar';
import { expect, it } from 'vitest';
import { calendarMondays, daysOfWeek, historyAt, periodsToLoad, requiredPeriods } from './periods.ts';

const DAY = 86_400_000;

it('requiredPeriods covers each day of the last six months once, with no period that the service rejects', () => {
  for (let now = Date.UTC(2024, 0, 1, 12); now < Date.UTC(2025, 0, 1); now += DAY) {
    const history = historyAt(now);
    const { days, mondays } = requiredPeriods(history);
    expect(days.length).toBeLessThan(7);
    expect(mondays.every(isMonday)).toBe(true);
    expect(mondays.every((monday) => monday >= history.earliest && monday <= history.yesterday)).toBe(true);
    const covered = [...days, ...mondays.flatMap(daysOfWeek)];
    const through = covered.filter((day) => day <= history.yesterday);
    const expected = [];
    for (let day = history.earliest; day <= history.yesterday; day = addDays(day, 1)) expected.push(day);
    expect(through).toEqual(expected);
  }
});

it('periodsToLoad covers each day from the first trip onward, with no earlier period', () => {
  const history = historyAt(Date.UTC(2025, 0, 20, 12));
  for (let first = history.earliest; first <= history.yesterday; first = addDays(first, 1)) {
    const { days, mondays } = periodsToLoad(history, first);
    const weeks = mondays.map(daysOfWeek);
    expect(weeks.every((week) => week.some((day) => day >= first))).toBe(true);
    const expected = [];
    for (let day = first; day <= history.yesterday; day = addDays(day, 1)) expected.push(day);
    expect([...days, ...weeks.flat()].filter((day) => day >= first)).toEqual(expected);
    expect(days.every((day) => day >= first)).toBe(true);
  }
});

it('periodsToLoad is only the latest week until the date of the first trip is known', () => {
  const history = historyAt(Date.UTC(2025, 0, 20, 12));
  expect(periodsToLoad(history, null)).toEqual({ days: [], mondays: ['2025-01-13'] });
});

it('calendarMondays begins with the earliest week and ends with the current one', () => {
  // 20 January 2025 is a Monday. 20 July 2024 is a Saturday.
  const mondays = calendarMondays(historyAt(Date.UTC(2025, 0, 20, 12)), null);
  expect([mondays[0], mondays.at(-1), mondays.length]).toEqual(['2024-07-15', '2025-01-20', 28]);
});

it('calendarMondays begins with the week of the first trip', () => {
  const history = historyAt(Date.UTC(2025, 0, 20, 12));
  expect(calendarMondays(history, '2025-01-08')).toEqual(['2025-01-06', '2025-01-13', '2025-01-20']);
  expect(calendarMondays(history, '2025-01-20')).toEqual(['2025-01-20']);
  expect(calendarMondays(history, '2020-01-01')).toHaveLength(28);
});
