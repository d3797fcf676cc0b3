import {
  type AnswerOf,
  type Driver,
  MAX_PAGE_SIZE,
  MilepostClient,
  MilepostError,
  type ParametersOf,
  type ReportPath,
  requestTo,
  type WeeklySummary,
} from '@milepost/client';
import type { CalendarDate } from '@milepost/domain/calendar';
import { type RequestError, responseError, unreachableError } from '../shared/failure.ts';
import type { GetRequest } from '../shared/get-request.ts';
import { serverAddress } from '../shared/server-settings.ts';
import { key, signOut } from '../shared/session.ts';
import type { Period } from './route.ts';

function requestError({ failure }: MilepostError): RequestError {
  if (!('status' in failure)) return unreachableError();
  const retryAfter = failure.retryAfterSeconds?.toFixed() ?? null;
  const error = responseError(failure.status, retryAfter, 'problem' in failure ? failure.problem : null);
  // The first response with status 401 signs the reader out, which aborts the other requests.
  if (failure.status === 401 && key.value !== null) signOut(error.failure.detail);
  return error;
}

function get<Path extends ReportPath>(path: Path, parameters: ParametersOf<Path>): GetRequest<AnswerOf<Path>> {
  const request = requestTo(path, parameters);
  return {
    address: request.address,
    authorization: 'APIKEY $MILEPOST_API_KEY',
    queryKey: [path, request.address],
    queryFn: async ({ signal }) => {
      // The client neither retries requests nor caches responses. The queries retry and show the reader why; they drop
      // their data when the view is closed.
      const options = { baseUrl: serverAddress(), key: key.value ?? '', maxRetries: 0, maxCachedCharacters: 0 };
      try {
        return await new MilepostClient(options).send(request, { signal });
      } catch (error) {
        throw error instanceof MilepostError ? requestError(error) : error;
      }
    },
  };
}

/** A page of the fleet's drivers. */
export function driverPage(page: number) {
  return get('/api/v1/drivers', { query: { page, limit: MAX_PAGE_SIZE } });
}

/** A page of a driver's trips that start on a day (UTC) or later. */
export function tripPage(driverId: string, from: CalendarDate, page: number) {
  return get('/api/v1/driver/{driver_id}/trips', {
    path: { driver_id: driverId },
    query: { start_date: from, page, limit: MAX_PAGE_SIZE },
  });
}

/** A trip with its path and its trip events. */
export function tripDetail(tripId: string) {
  return get('/api/v1/trip/trip_id/{trip_id}', { path: { trip_id: tripId } });
}

/** A page of trips with a tracking id. */
export function trackedTrips(trackingId: string, page: number) {
  return get('/api/v1/trip/tracking_id/{tracking_id}', {
    path: { tracking_id: trackingId },
    query: { page },
  });
}

/** The summaries of a day, for at most 20 drivers. */
export function dailySummaries(date: CalendarDate, driverIds: readonly string[]) {
  return get('/api/v1/driver-aggregate/daily', { query: { start_date: date, driver_id: [...driverIds] } });
}

/** The summaries of the week that starts on the given Monday, for at most 20 drivers. */
export function weeklySummaries(monday: CalendarDate, driverIds: readonly string[]) {
  return get('/api/v1/driver-aggregate/weekly', {
    query: { start_date: monday, driver_id: [...driverIds] },
  });
}

/** The fields that daily and weekly summaries have in common. */
export type Summary = Omit<WeeklySummary, 'start_date' | 'end_date' | 'daily_summary_breakdown'>;
/** The summaries of some drivers, daily or weekly. */
export interface Summaries {
  data: { driver_info: Driver; driving_summary: Summary }[];
}

/** The summaries of a day, or of the week that starts on it. */
export function summaries(period: Period, date: CalendarDate, driverIds: readonly string[]): GetRequest<Summaries> {
  return period === 'day' ? dailySummaries(date, driverIds) : weeklySummaries(date, driverIds);
}
