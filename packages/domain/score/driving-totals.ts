/** Sums over what is scored: a trip, a day or a week. Finite and non-negative. */
export interface DrivingTotals {
  distance_miles: number;
  duration_seconds: number;
  night_driving_seconds: number;
  hard_brake_count: number;
  rapid_acceleration_count: number;
  overspeeding_count: number;
  phone_use_count: number;
  overspeeding_time_seconds: number;
  phone_use_time_seconds: number;
}
