export { Driver } from './driver.ts';
export { DailySummary, type DrivingFigures, WeeklySummary, WeekTotals } from './driving-summary.ts';
export { TripDetail, type TripFocusArea, TripListEntry } from './trip.ts';
