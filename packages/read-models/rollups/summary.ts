/** The summaries of the drivers asked for, in the order asked, from one snapshot of the database. */
export interface Summaries {
  /** Position of the event log that the answer reflects. */
  position: number;
  /** The elements of `data` as JSON, separated by commas. */
  items: string;
}

/** Ids among those asked for that the fleet does not know. */
export interface UnknownDrivers {
  unknown: string[];
}
