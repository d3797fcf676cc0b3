import type { Freshness } from './freshness.ts';

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
