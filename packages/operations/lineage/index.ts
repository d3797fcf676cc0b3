export { driverDayTrace, traceDriverDay } from './driver-day.ts';
export type { TracedDeadLetter, TracedDuplicate, TracedEvent } from './resource.ts';
export { traceTrip, tripTrace } from './trip.ts';
