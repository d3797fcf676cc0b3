export {
  checkApiKeys,
  checkReadTables,
  findValidKey,
  type KeyUse,
  noteKeyUses,
  type ValidKey,
} from './access.ts';
export { dailySummaries } from './daily-rollups/query.ts';
export { listDrivers } from './drivers/query.ts';
export type { Freshness, Page, PageRequest, Summaries, UnknownDrivers } from './query-results.ts';
export { DailySummary, Driver, TripDetail, TripListEntry, WeeklySummary } from './resources.ts';
export { findTrip, findTripsByTrackingId } from './trips/detail-query.ts';
export { listTrips } from './trips/list-query.ts';
export { weeklySummaries } from './weekly-rollups/query.ts';
