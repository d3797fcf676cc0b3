export { driverDayTrace, traceDriverDay } from './driver-day.ts';

export { traceTrip, tripTrace } from './trip.ts';
