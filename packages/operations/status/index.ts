export { type AskEndOffsets, type EndOffsets, readEndOffsets, type SourceStatus } from './end-offsets.ts';
export {
  type LogStatus,
  type ProjectionStatus,
  readLogStatus,
  type SourcePosition,
  type SourceState,
} from './log-status.ts';
export { type Readiness, readReadiness } from './readiness.ts';
export { readStatus, type Status } from './status.ts';
