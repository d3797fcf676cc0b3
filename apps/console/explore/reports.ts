import type { CalendarDate } from '@milepost/domain/calendar';
import createClient from 'openapi-fetch';
import { type Question, question } from '../shared/question.ts';
import { key } from '../shared/session.ts';
import type { paths } from './openapi.d.ts';
import type { Period } from './route.ts';

type Content<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Answer } } } };
}
  ? Answer
  : never;

type DriverPage = Content<'/api/v1/drivers'>;
export type Driver = DriverPage['drivers'][number];
type TripPage = Content<'/api/v1/driver/{driver_id}/trips'>;
export type Trip = TripPage['trips'][number];
type TripDetailPage = Content<'/api/v1/trip/trip_id/{trip_id}'>;
export type TripDetail = TripDetailPage['trips'][number];
export type TrailPoint = TripDetail['trail_path'][number];
export type TripEvent = TripDetail['events'][number];
type DailySummaries = Content<'/api/v1/driver-aggregate/daily'>;
type WeeklySummaries = Content<'/api/v1/driver-aggregate/weekly'>;
export type WeeklySummary = WeeklySummaries['data'][number]['driving_summary'];
/** What the summaries of a day and of a week share. */
export type Summary = Omit<WeeklySummary, 'start_date' | 'end_date' | 'daily_summary_breakdown'>;
/** The summaries of some drivers, whichever the period. */
export interface Summaries {
  data: { driver_info: Driver; driving_summary: Summary }[];
}

/** How the service wants to be asked; the variable stands for the key wherever a request is shown. */
export const AUTHORIZATION = 'APIKEY $MILEPOST_API_KEY';

/** The most records that a page may have. */
export const PER_PAGE = 100;

const client = createClient<paths>({ baseUrl: location.origin });

/** The interface requires it, although no request has a body. */
const header = { 'Content-Type': 'application/json' } as const;

/** Who asks. */
function headers() {
  return { authorization: `APIKEY ${key.value ?? ''}` };
}

const DRIVERS = '/api/v1/drivers';
const TRIPS = '/api/v1/driver/{driver_id}/trips';
const TRIP = '/api/v1/trip/trip_id/{trip_id}';
const TRACKING = '/api/v1/trip/tracking_id/{tracking_id}';
const DAILY = '/api/v1/driver-aggregate/daily';
const WEEKLY = '/api/v1/driver-aggregate/weekly';

/** A page of the fleet's drivers. */
export function driverPage(page: number): Question<DriverPage> {
  const params = { header, query: { page, limit: PER_PAGE } };
  return question(DRIVERS, params, (signal) => client.GET(DRIVERS, { params, signal, headers: headers() }));
}

/** A page of a driver's trips that start on a day (UTC) or later. */
export function tripPage(driverId: string, from: CalendarDate, page: number): Question<TripPage> {
  const params = { header, path: { driver_id: driverId }, query: { start_date: from, page, limit: PER_PAGE } };
  return question(TRIPS, params, (signal) => client.GET(TRIPS, { params, signal, headers: headers() }));
}

/** One trip with its path and its trip events. */
export function tripDetail(tripId: string): Question<TripDetailPage> {
  const params = { header, path: { trip_id: tripId } };
  return question(TRIP, params, (signal) => client.GET(TRIP, { params, signal, headers: headers() }));
}

/** A page of the trips with a tracking id. */
export function trackedTrips(trackingId: string, page: number): Question<TripDetailPage> {
  const params = { header, path: { tracking_id: trackingId }, query: { page } };
  return question(TRACKING, params, (signal) => client.GET(TRACKING, { params, signal, headers: headers() }));
}

/** How drivers, at most 20, did on a day. */
export function dailySummaries(date: CalendarDate, driverIds: readonly string[]): Question<DailySummaries> {
  const params = { header, query: { start_date: date, driver_id: [...driverIds] } };
  return question(DAILY, params, (signal) => client.GET(DAILY, { params, signal, headers: headers() }));
}

/** How drivers, at most 20, did in the week that a Monday begins. */
export function weeklySummaries(monday: CalendarDate, driverIds: readonly string[]): Question<WeeklySummaries> {
  const params = { header, query: { start_date: monday, driver_id: [...driverIds] } };
  return question(WEEKLY, params, (signal) => client.GET(WEEKLY, { params, signal, headers: headers() }));
}

/** How drivers did in a day, or in the week that it begins. */
export function summaries(period: Period, date: CalendarDate, driverIds: readonly string[]): Question<Summaries> {
  return period === 'day' ? dailySummaries(date, driverIds) : weeklySummaries(date, driverIds);
}
