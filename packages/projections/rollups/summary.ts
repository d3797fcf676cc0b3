import type { Freshness } from '../freshness.ts';

/** The summaries of the drivers asked for, in the order asked, from one snapshot of the database. */
export interface Summaries extends Freshness {
  /** The elements of `data` as JSON, separated by commas. */
  items: string;
}

/** Ids among those asked for that the fleet does not know. */
export interface UnknownDrivers {
  unknown: string[];
}
