import {
  addDays,
  type CalendarDate,
  dateOf,
  MILLISECONDS_PER_DAY,
  mondayOf,
  sixMonthsBefore,
} from '@milepost/domain/calendar';

/** Kept beyond what the interface can ask for: for clocks, for those who look once more, and so that it is not done daily. */
const MARGIN_DAYS = 31;

/** From which day on a projection's read table is kept. */
export interface RetentionPolicy {
  projection: string;
  /** A Monday, so that no week is kept in part. */
  horizon: CalendarDate;
}

const ROLLUPS = ['daily_rollups', 'weekly_rollups'];
/** The detail of a trip may be asked for whatever its age, so these are kept for ever unless the operator says otherwise. */
const TRIPS = ['trips', 'trip_events', 'trail_paths'];

/**
 * What may go as of `now` (epoch milliseconds). Summaries are answered for six months (docs/adr/0011).
 *
 * @param tripRetentionDays null: trips are kept for ever
 */
export function retentionPolicies(now: number, tripRetentionDays: number | null): RetentionPolicy[] {
  const today = dateOf(now);
  const rollupHorizon = mondayOf(addDays(sixMonthsBefore(today), -MARGIN_DAYS));
  const policies = ROLLUPS.map((projection) => ({ projection, horizon: rollupHorizon }));
  if (tripRetentionDays === null) return policies;
  const tripHorizon = mondayOf(dateOf(now - tripRetentionDays * MILLISECONDS_PER_DAY));
  return [...policies, ...TRIPS.map((projection) => ({ projection, horizon: tripHorizon }))];
}
