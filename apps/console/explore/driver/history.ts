import { useQueries, useQuery } from '@tanstack/preact-query';
import { reads, type Summary } from '../api.ts';
import { type History, periodsToLoad, requiredPeriods } from '../periods.ts';

/**
 * Loads a driver's days and weeks in the last six months, from the first trip onward. The latest week is loaded first,
 * because the response contains the date of the first trip.
 */
export function useHistory(driverId: string, history: History) {
  const newestMonday = requiredPeriods(history).mondays.at(-1) ?? history.yesterday;
  const newest = reads.weekly(newestMonday, [driverId]);
  const { data: newestWeek, error } = useQuery(newest);
  const driver = newestWeek?.data[0]?.driver_info ?? null;
  const { days, mondays } = periodsToLoad(history, driver?.first_travel_date ?? null);
  const weekRequests = mondays.map((monday) => reads.weekly(monday, [driverId]));
  const dayRequests = days.map((day) => reads.daily(day, [driverId]));
  const weekQueries = useQueries({ queries: weekRequests });
  const dayQueries = useQueries({ queries: dayRequests });
  const queries = [...weekQueries, ...dayQueries];
  const weeks = weekQueries.flatMap(({ data }) => data?.data.map(({ driving_summary }) => driving_summary) ?? []);
  const singleDays = dayQueries.flatMap(({ data }) => data?.data.map(({ driving_summary }) => driving_summary) ?? []);
  const daysOfWeeks = weeks.flatMap(({ daily_summary_breakdown }) => daily_summary_breakdown);
  const withTrips = [...singleDays, ...daysOfWeeks].filter(({ trip_count }) => trip_count > 0);
  return {
    requests: [...weekRequests, ...dayRequests],
    data: queries.map(({ data }) => data),
    failure: (error ?? queries.find((query) => query.error !== null)?.error)?.failure ?? null,
    isComplete: driver !== null && queries.every(({ data }) => data !== undefined),
    /** Null until the first response. */
    driver,
    /** The days with trips, by date. */
    days: new Map<string, Summary>(withTrips.map((summary) => [summary.date, summary])),
    /** Oldest first. */
    weeks,
  };
}
