/** How far an answer goes and how old it may be, from the snapshot of the database that the answer is from. */
export interface Freshness {
  /** Of the last stored event of the answer's own fleet that the answer reflects; 0 when the fleet has none. */
  position: number;
  /** Since the oldest stored event, of whichever fleet, that is not applied yet was stored; 0 when there is none. */
  lag_seconds: number;
}

/** The columns of `Freshness`, the last ones of a statement whose `$1` is the fleet. */
export const FRESHNESS = `coalesce((SELECT position FROM read.fleets WHERE fleet_id = $1), 0) AS position,
  coalesce((SELECT lag_seconds FROM read.lag), 0) AS lag_seconds`;
