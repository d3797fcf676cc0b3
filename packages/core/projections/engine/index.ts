export { type Advancing, applyNext, bisect } from './advance.ts';
export { type Audit, type AuditedField, describeFields, sidesOf } from './audit.ts';
export {
  changeGenerations,
  type Generation,
  keysOf,
  liveCheckpoints,
  lockGenerations,
  lockLiveGenerations,
  prepareGenerations,
} from './checkpoints.ts';
export { type Comparison, type ComparisonResult, compareRows } from './compare.ts';
export {
  byPosition,
  type Chunk,
  type Fill,
  type Filling,
  type FillStage,
  type PositionRange,
  rangeOf,
  scratchTables,
} from './fill.ts';
export {
  type ComparedTables,
  createView,
  type ErasedSubject,
  type Projection,
  ProjectionFailedError,
  ProjectionVersionError,
  replaceView,
  tableOf,
} from './projection.ts';
export { runProjections, WakeUp } from './run.ts';
