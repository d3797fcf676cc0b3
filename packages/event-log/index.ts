export {
  type Appended,
  type AppendedBatch,
  append,
  appendTogether,
  type SourceBatch,
} from './append.ts';
export { cut } from './cut.ts';
export { SourceFencedError } from './errors.ts';
export { gatherBytes } from './gather-bytes.ts';
export { STORED_EVENT_KINDS } from './kinds.ts';
export { isSameRecord, lastRecordOf } from './last-record.ts';
export { type NamesIn, namesIn } from './names-in.ts';
export type { IncomingRecord, PreparedRecord, Refusal } from './prepare.ts';
export { readArchivedRecord, readRecord } from './read-record.ts';
export { retryDeadLetters } from './retry.ts';
export { retryDeadLetterBatch } from './retry-dead-letters.ts';
export { advanceHead, LOG_CHANNEL } from './sql/advance-head.ts';
export type { AppendCounts } from './sql/advance-sources.ts';
export { claimFile, claimSource, type SourceClaim } from './sql/claim-source.ts';
export { holdSources } from './sql/hold-sources.ts';
export { lockHead } from './sql/lock-head.ts';
export { readHeadPosition, readSourceCounts } from './sql/read-counts.ts';
export { clearSourceFault, listStoppedSources, markSourceFault } from './sql/source-faults.ts';
