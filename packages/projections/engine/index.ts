export { type Advancing, advance, applyNext, inHalves } from './advance.ts';
export { type Comparison, type ComparisonResult, compareRows, type RowDifference } from './compare/rows.ts';
export { CheckpointMovedError, ProjectionFailedError, ProjectionVersionError } from './errors.ts';
export { byPosition, type Fill, type Filling, type FillStage, type Part, type PositionRange, rangeOf } from './fill.ts';
export { lockPreparation, prepareGenerations } from './generations.ts';
export {
  type ComparableRows,
  type ErasedSubject,
  type Projection,
  tableOf,
  viewOf,
} from './projection.ts';
export { type RunOptions, runProjections } from './run.ts';
export { liveCheckpoints, lockGenerations } from './sql/generations.ts';
export { headPosition } from './sql/head-position.ts';
export { type Generation, lockLiveGenerations } from './sql/live-generations.ts';
export { WakeUp } from './wake-up.ts';
