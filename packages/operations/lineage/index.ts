export type { TracedDeadLetter } from './dead-letters.ts';
export { type DriverDayTrace, traceDriverDay } from './driver-day.ts';
export { NotTracedError } from './errors.ts';
export type { TracedDuplicate } from './sql/duplicates.ts';
export type { CountedEvent, TracedEvent } from './stored-event.ts';
export { type TripTrace, traceTrip } from './trip.ts';
