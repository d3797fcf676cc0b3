export { daysAfter, mondayBefore, utcDate } from './calendar.ts';
export { Model } from './model.ts';
