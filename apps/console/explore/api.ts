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

/** The requests whose responses the views show. */
export const reads = {
  /** A page of the fleet's drivers. */
  drivers: (page: number) => get('/api/v1/drivers', { query: { page, limit: MAX_PAGE_SIZE } }),
  /** A page of a driver's trips that start on or after a day (UTC). */
  trips: (driver_id: string, start_date: CalendarDate, page: number) =>
    get('/api/v1/driver/{driver_id}/trips', { path: { driver_id }, query: { start_date, page, limit: MAX_PAGE_SIZE } }),
  /** A trip with its path and its trip events. */
  trip: (trip_id: string) => get('/api/v1/trip/trip_id/{trip_id}', { path: { trip_id } }),
  /** A page of trips with a tracking id. */
  trackedTrips: (tracking_id: string, page: number) =>
    get('/api/v1/trip/tracking_id/{tracking_id}', { path: { tracking_id }, query: { page } }),
  /** The summaries of a day, for at most 20 drivers. */
  daily: (start_date: CalendarDate, driver_id: string[]) =>
    get('/api/v1/driver-aggregate/daily', { query: { start_date, driver_id } }),
  /** The summaries of the week that starts on the given Monday, for at most 20 drivers. */
  weekly: (start_date: CalendarDate, driver_id: string[]) =>
    get('/api/v1/driver-aggregate/weekly', { query: { start_date, driver_id } }),
};

/** The fields that daily and weekly summaries have in common. */
export type Summary = Omit<WeeklySummary, 'start_date' | 'end_date' | 'daily_summary_breakdown'>;
/** The summaries of some drivers, daily or weekly. */
interface Summaries {
  data: { driver_info: Driver; driving_summary: Summary }[];
}

/** The summaries of a day, or of the week that starts on it. */
export function summaries(period: Period, date: CalendarDate, driverIds: string[]): GetRequest<Summaries> {
  return period === 'day' ? reads.daily(date, driverIds) : reads.weekly(date, driverIds);
}
