import { addDays, isMonday } from '@milepost/domain/calendar';
import { expect, it } from 'vitest';
import { calendarMondays, daysOfWeek, historyAt, partsOf } from './periods.ts';

const DAY = 86_400_000;

it('asks for each day of the last six months once, and for none that is refused', () => {
  for (let now = Date.UTC(2024, 0, 1, 12); now < Date.UTC(2025, 0, 1); now += DAY) {
    const history = historyAt(now);
    const { days, mondays } = partsOf(history);
    expect(days.length).toBeLessThan(7);
    expect(mondays.every(isMonday)).toBe(true);
    expect(mondays.every((monday) => monday >= history.earliest && monday <= history.yesterday)).toBe(true);
    const asked = [...days, ...mondays.flatMap(daysOfWeek)];
    const through = asked.filter((day) => day <= history.yesterday);
    const expected = [];
    for (let day = history.earliest; day <= history.yesterday; day = addDays(day, 1)) expected.push(day);
    expect(through).toEqual(expected);
  }
});

it('shows a calendar from the week of the first day to the week of today', () => {
  // 20 January 2025 is a Monday; 20 July 2024 was a Saturday.
  const mondays = calendarMondays(historyAt(Date.UTC(2025, 0, 20, 12)));
  expect([mondays[0], mondays.at(-1), mondays.length]).toEqual(['2024-07-15', '2025-01-20', 28]);
});
