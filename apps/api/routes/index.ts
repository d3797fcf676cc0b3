export { DriverPage, driversRoute } from './drivers.ts';
export { DailySummaries, summaryRoutes, WeeklySummaries } from './summaries.ts';
export { TripDetailPage, tripDetailRoutes } from './trip-detail.ts';
export { TripListPage, tripsRoute } from './trips.ts';
