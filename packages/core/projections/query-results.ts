import type { RowOf } from '@milepost/postgres';

/** The position and the lag of a response, from the same database snapshot as its data. */
export const FRESHNESS_COLUMNS = {
  /** The position of the fleet's last stored event that the response reflects; 0 if there is no such event. */
  position: 'number',
  /** The age of the oldest stored event, of any fleet, that has not been applied yet; 0 when there is none. */
  lag_seconds: 'number',
} as const;
export type Freshness = RowOf<typeof FRESHNESS_COLUMNS>;

/** SQL expressions for `FRESHNESS_COLUMNS`, the last columns of a statement whose `$1` is the fleet. */
export const FRESHNESS = `coalesce((SELECT position FROM fleets WHERE fleet_id = $1), 0) AS position,
  coalesce((SELECT lag_seconds FROM applied_lag), 0) AS lag_seconds`;

/** A requested page. `page` counts from 1. */
export interface PageRequest {
  page: number;
  limit: number;
}

/** No table has this many pages. */
const MAX_PAGE = 2 ** 40;

/** Returns the number of rows before a page, which is a safe integer for any page of at most 100 rows. */
export function rowsBefore({ page, limit }: PageRequest): number {
  return (Math.min(page, MAX_PAGE) - 1) * limit;
}

/** A page of results, from one database snapshot. */
export interface Page extends Freshness {
  /** The number of matching records on all pages. */
  count: number;
  /** The page's records as JSON, separated by commas. */
  items: string;
}

/** The summaries for the requested drivers, in the order of the request, from one database snapshot. */
export interface Summaries extends Freshness {
  /** The elements of `data` as JSON, separated by commas. */
  items: string;
}

/** The requested ids that are unknown in the fleet. */
export interface UnknownDrivers {
  unknown: string[];
}

/** Converts the rows, one per requested driver, to summaries. `profile` is null when the fleet has no such driver. */
export function toSummaries<Row extends Freshness & { driver_id: string; profile: string | null }>(
  rows: readonly Row[],
  toSummary: (row: Row) => string,
): Summaries | UnknownDrivers {
  const unknown = rows.filter((row) => row.profile === null).map((row) => row.driver_id);
  if (unknown.length > 0) return { unknown };
  const items = rows.map((row) => `{"driver_info":${row.profile},"driving_summary":${toSummary(row)}}`);
  const { position = 0, lag_seconds = 0 } = rows[0] ?? {};
  return { position, lag_seconds, items: items.join(',') };
}
