import { addDays, type CalendarDate, startOfDay } from '@milepost/domain/calendar';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useAnswers } from '../../shared/use-answers.ts';
import { PER_PAGE, tripPage } from '../reports.ts';

/**
 * Asks for the trips of a period (UTC days, both included), twice as many pages each time: only the pages themselves tell
 * where the period ends.
 */
export function useTrips(driverId: string, from: CalendarDate, through: CalendarDate) {
  const [pages, setPages] = useState(1);
  const questions = Array.from({ length: pages }, (_, index) => tripPage(driverId, from, index + 1));
  const { answers, failure, isComplete } = useAnswers(questions);
  const end = startOfDay(addDays(through, 1));
  const trips = useMemo(() => {
    const loaded = answers.flatMap((answer) => answer?.trips ?? []);
    return loaded.filter(({ trip_start_time }) => trip_start_time < end);
  }, [answers, end]);
  const count = answers[0]?.count ?? 0;
  const isPast = answers.some((answer) => answer?.trips.some(({ trip_start_time }) => trip_start_time >= end));
  const hasMore = isComplete && !isPast && pages * PER_PAGE < count;
  useEffect(() => {
    if (hasMore) setPages(Math.min(2 * pages, Math.ceil(count / PER_PAGE)));
  }, [hasMore, pages]);
  return {
    questions,
    answers,
    failure,
    trips,
    isComplete: isComplete && !hasMore,
  };
}
