export { traceDriverDayRoute } from './driver-day.ts';
export { traceTripRoute } from './trip.ts';
