export { advance } from './advance.ts';
export { CheckpointMovedError, ProjectionFailedError, ProjectionVersionError } from './errors.ts';
export { prepareGenerations } from './generations.ts';
export type { PositionRange, Projection } from './projection.ts';
export { type RunOptions, runProjections } from './run.ts';
export { WakeUp } from './wake-up.ts';
