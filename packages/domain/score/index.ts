export type { DrivingTotals } from './driving-totals.ts';
export { SCORE_VERSION } from './figures.ts';
export { type SummaryFocusArea, type TripFocusArea, tripFocusArea } from './focus.ts';
export type { Grade } from './grade.ts';
export { type DrivingScore, scoreDriving } from './score-driving.ts';
