import type { Question } from '../../shared/question.ts';
import { type Answers, useAnswers } from '../../shared/use-answers.ts';
import { type History, partsOf } from '../periods.ts';
import { type Driver, dailySummaries, type Summary, type WeeklySummary, weeklySummaries } from '../reports.ts';

interface DriverHistory extends Pick<Answers<unknown>, 'failure' | 'isComplete' | 'answers'> {
  questions: readonly Question<unknown>[];
  driver: Driver | null;
  /** By date; days without trips are left out. */
  days: ReadonlyMap<string, Summary>;
  weeks: WeeklySummary[];
}

/** Asks for all days and weeks of a driver's last six months. */
export function useHistory(driverId: string, history: History): DriverHistory {
  const { days, mondays } = partsOf(history);
  // The newest first: that is what is looked at first.
  const weekQuestions = mondays.reverse().map((monday) => weeklySummaries(monday, [driverId]));
  const dayQuestions = days.map((day) => dailySummaries(day, [driverId]));
  const byWeek = useAnswers(weekQuestions);
  const byDay = useAnswers(dayQuestions);
  const weeks = byWeek.answers.flatMap((answer) => answer?.data.map(({ driving_summary }) => driving_summary) ?? []);
  const ofDays = byDay.answers.flatMap((answer) => answer?.data.map(({ driving_summary }) => driving_summary) ?? []);
  const ofWeeks = weeks.flatMap(({ daily_summary_breakdown }) => daily_summary_breakdown);
  const driven = [...ofDays, ...ofWeeks].filter(({ trip_count }) => trip_count > 0);
  return {
    questions: [...weekQuestions, ...dayQuestions],
    answers: [...byWeek.answers, ...byDay.answers],
    failure: byWeek.failure ?? byDay.failure,
    isComplete: byWeek.isComplete && byDay.isComplete,
    driver: byWeek.answers.find((answer) => answer !== undefined)?.data[0]?.driver_info ?? null,
    days: new Map(driven.map((summary) => [summary.date, summary])),
    weeks: weeks.reverse(),
  };
}
