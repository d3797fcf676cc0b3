export { daysAfter, mondayBefore, startOf, utcDate } from './calendar.ts';
export { Model } from './model.ts';
export type { Fate } from './revisions.ts';
export { scoreOf } from './score.ts';
export { servedTripId } from './trips.ts';
