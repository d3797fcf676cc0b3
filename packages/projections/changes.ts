export { isScoreChanges, type ScoreChanges } from './rollups/score-changes.ts';
export { type FocusChanges, isFocusChanges } from './trips/focus-changes.ts';
