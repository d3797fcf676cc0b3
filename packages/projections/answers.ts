import { number, type RowOf } from '@milepost/postgres';

/** How far an answer goes and how old it may be, from the snapshot of the database that the answer is from. */
export const FRESHNESS_COLUMNS = {
  /** Of the last stored event of the answer's own fleet that the answer reflects; 0 when the fleet has none. */
  position: number,
  /** Since the oldest stored event, of whichever fleet, that is not applied yet was stored; 0 when there is none. */
  lag_seconds: number,
};
export type Freshness = RowOf<typeof FRESHNESS_COLUMNS>;

/** SQL of these columns, the last ones of a statement whose `$1` is the fleet. */
export const FRESHNESS = `coalesce((SELECT position FROM read.fleets WHERE fleet_id = $1), 0) AS position,
  coalesce((SELECT lag_seconds FROM read.lag), 0) AS lag_seconds`;

/** One page asked for; `page` counts from 1. `(page - 1) * limit` must be a safe integer. */
export interface PageRequest {
  page: number;
  limit: number;
}

/** One page found, from one snapshot of the database. */
export interface Page extends Freshness {
  /** All matching records over all pages. */
  count: number;
  /** The page's records as JSON, separated by commas. */
  items: string;
}

/** The summaries of the drivers asked for, in the order asked, from one snapshot of the database. */
export interface Summaries extends Freshness {
  /** The elements of `data` as JSON, separated by commas. */
  items: string;
}

/** Ids among those asked for that the fleet does not know. */
export interface UnknownDrivers {
  unknown: string[];
}

/** Makes an answer of one row for each driver asked for, whose `profile` is null when the fleet does not know the driver. */
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
