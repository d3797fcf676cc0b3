export { DailySummaries, dailySummaryRoute } from './daily-summary.ts';
export { DriverPage, driversRoute } from './drivers.ts';
export { TripDetailPage, tripDetailRoutes } from './trip-detail.ts';
export { TripListPage, tripsRoute } from './trips.ts';
export { WeeklySummaries, weeklySummaryRoute } from './weekly-summary.ts';
