import type { components, paths } from './openapi.d.ts';

/** The paths of the five endpoints in the OpenAPI document. */
export type ReportPath = Extract<keyof paths, `/api/v1/${string}`>;

/** The type of a path's response body if the status is 200. */
export type AnswerOf<Path extends ReportPath> = paths[Path]['get']['responses'][200]['content']['application/json'];

/** The parameters in a path and in its query string. */
export type ParametersOf<Path extends ReportPath> = Pick<paths[Path]['get']['parameters'], 'path' | 'query'>;

export type Driver = components['schemas']['Driver'];
export type Trip = components['schemas']['Trip'];
export type TripDetail = components['schemas']['TripDetail'];
export type TrailPoint = components['schemas']['TrailPoint'];
export type TripEvent = components['schemas']['TripEvent'];
export type DailySummary = components['schemas']['DailySummary'];
export type WeeklySummary = components['schemas']['WeeklySummary'];
export type DailyDriverSummary = components['schemas']['DailyDriverSummary'];
export type WeeklyDriverSummary = components['schemas']['WeeklyDriverSummary'];
/** The body of an error (RFC 9457). */
export type Problem = components['schemas']['Problem'];

/** The maximum number of drivers or trips on a page. */
export const MAX_PAGE_SIZE = 100;

/** A GET request to one of the five endpoints. */
export interface ReportRequest<Path extends ReportPath> {
  /** The path as it appears in the OpenAPI document. */
  path: Path;
  /** The percent-encoded path and query string, relative to the service's URL. */
  address: string;
}

/**
 * Returns the request for a path in the OpenAPI document. A parameter whose value is an array appears once per element.
 */
export function requestTo<Path extends ReportPath>(path: Path, parameters: ParametersOf<Path>): ReportRequest<Path> {
  const inPath = Object.entries<unknown>({ ...parameters.path });
  const inQuery = Object.entries<unknown>({ ...parameters.query }).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each) => each !== undefined)
      .map((each) => `${name}=${encodeURIComponent(String(each))}`),
  );
  const filled = inPath.reduce(
    (address, [name, value]) => address.replace(`{${name}}`, () => encodeURIComponent(String(value))),
    String(path),
  );
  return { path, address: inQuery.length > 0 ? `${filled}?${inQuery.join('&')}` : filled };
}
