export { type AppendedBatch, append, appendTogether, type SourceBatch, SourceFencedError } from './append.ts';
export { cut } from './cut.ts';
export { advanceHead, LOG_CHANNEL, lockHead, readHeadPosition } from './head.ts';
export { namesIn } from './names-in.ts';
export { gatherBytes, type IncomingRecord, type PreparedRecord } from './prepare.ts';
export { readArchivedRecord, readRecord } from './read-record.ts';
export { retryDeadLetters } from './retry-dead-letters.ts';
export {
  type AppendCounts,
  claimFile,
  claimSource,
  clearSourceFault,
  endSource,
  holdSources,
  isSameRecord,
  lastRecordOf,
  listStoppedSources,
  markSourceFault,
  readSourceCounts,
  type SourceClaim,
} from './sources.ts';
