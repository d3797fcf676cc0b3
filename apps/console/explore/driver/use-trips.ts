import { addDays, type CalendarDate, startOfDay } from '@milepost/domain/calendar';
import { useInfiniteQuery } from '@tanstack/preact-query';
import { useEffect, useMemo } from 'preact/hooks';
import { reads } from '../api.ts';

/**
 * Loads the trips in a period (UTC days, inclusive) page by page. The service does not accept an end date, so the trips
 * on each page show whether the end of the period has been reached.
 */
export function useTrips(driverId: string, from: CalendarDate, through: CalendarDate) {
  const end = startOfDay(addDays(through, 1));
  const first = reads.trips(driverId, from, 1);
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: [...first.queryKey, through],
    queryFn: ({ pageParam, signal }) => reads.trips(driverId, from, pageParam).queryFn({ signal }),
    initialPageParam: 1,
    getNextPageParam: ({ trips, next_page }) =>
      trips.some(({ trip_start_time }) => trip_start_time >= end) ? null : next_page,
    // Structural sharing is off, because it would compare all previous pages again whenever a page is loaded.
    structuralSharing: false,
  });
  useEffect(() => {
    if (hasNextPage && !isFetching && error === null) fetchNextPage();
  }, [hasNextPage, isFetching, error]);
  const trips = useMemo(
    () => data?.pages.flatMap((page) => page.trips).filter(({ trip_start_time }) => trip_start_time < end) ?? [],
    [data, end],
  );
  return {
    requests: data?.pages.map(({ current_page }) => reads.trips(driverId, from, current_page)) ?? [first],
    data: data?.pages ?? [],
    failure: error?.failure ?? null,
    trips,
    isComplete: data !== undefined && !hasNextPage,
  };
}
