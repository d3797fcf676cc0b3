export { traceDriverDay, traceTrip } from './traces.ts';
