/** One recorded place of a trip's path. `timestamp` in epoch milliseconds, `course` in degrees relative to North. */
export interface TrailPoint {
  timestamp: number;
  latitude: number;
  longitude: number;
  course: number;
}

/** The longest path a record may carry; it bounds what damaged bytes can make a decoder allocate. */
export const MAXIMUM_TRAIL_POINTS = 50_000;
