import type { CalendarDate } from '@milepost/domain/calendar';
import { createApi, type DataOf, type GetRequest } from '../shared/api.ts';
import { key } from '../shared/session.ts';
import type { paths } from './openapi.d.ts';
import type { Period } from './route.ts';

/** The `Authorization` header as the request panel shows it, with a shell variable in place of the key. */
export const AUTHORIZATION = 'APIKEY $MILEPOST_API_KEY';

/** The maximum page size of the service. */
export const MAX_PAGE_SIZE = 100;

// The service requires a Content-Type, although no request has a body.
const { get } = createApi<paths>(() => ({
  authorization: `APIKEY ${key.value ?? ''}`,
  'content-type': 'application/json',
}));

/** A page of the fleet's drivers. */
export function driverPage(page: number) {
  return get('/api/v1/drivers', { params: { query: { page, limit: MAX_PAGE_SIZE } } });
}

/** A page of a driver's trips that start on a day (UTC) or later. */
export function tripPage(driverId: string, from: CalendarDate, page: number) {
  return get('/api/v1/driver/{driver_id}/trips', {
    params: { path: { driver_id: driverId }, query: { start_date: from, page, limit: MAX_PAGE_SIZE } },
  });
}

/** A trip with its path and its trip events. */
export function tripDetail(tripId: string) {
  return get('/api/v1/trip/trip_id/{trip_id}', { params: { path: { trip_id: tripId } } });
}

/** A page of the trips with a tracking id. */
export function trackedTrips(trackingId: string, page: number) {
  return get('/api/v1/trip/tracking_id/{tracking_id}', {
    params: { path: { tracking_id: trackingId }, query: { page } },
  });
}

/** The summaries of a day, for at most 20 drivers. */
export function dailySummaries(date: CalendarDate, driverIds: readonly string[]) {
  return get('/api/v1/driver-aggregate/daily', { params: { query: { start_date: date, driver_id: [...driverIds] } } });
}

/** The summaries of the week that starts on a Monday, for at most 20 drivers. */
export function weeklySummaries(monday: CalendarDate, driverIds: readonly string[]) {
  return get('/api/v1/driver-aggregate/weekly', {
    params: { query: { start_date: monday, driver_id: [...driverIds] } },
  });
}

export type Driver = DataOf<typeof driverPage>['drivers'][number];
export type Trip = DataOf<typeof tripPage>['trips'][number];
export type TripDetail = DataOf<typeof tripDetail>['trips'][number];
export type TrailPoint = TripDetail['trail_path'][number];
export type TripEvent = TripDetail['events'][number];
export type WeeklySummary = DataOf<typeof weeklySummaries>['data'][number]['driving_summary'];
/** The common fields of daily and weekly summaries. */
export type Summary = Omit<WeeklySummary, 'start_date' | 'end_date' | 'daily_summary_breakdown'>;
/** The summaries of some drivers, daily or weekly. */
export interface Summaries {
  data: { driver_info: Driver; driving_summary: Summary }[];
}

/** The summaries of a day, or of the week that starts on it. */
export function summaries(period: Period, date: CalendarDate, driverIds: readonly string[]): GetRequest<Summaries> {
  return period === 'day' ? dailySummaries(date, driverIds) : weeklySummaries(date, driverIds);
}
