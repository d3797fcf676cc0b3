export { type AppendCounts, type Appended, append } from './append.ts';
export { SourceFencedError } from './errors.ts';
export { STORED_EVENT_KINDS } from './kinds.ts';
export { type PreparedRecord, prepareRecord, type Refusal } from './prepare.ts';
export { type RetriedDeadLetter, retryDeadLetter } from './retry-dead-letter.ts';
export { LOG_CHANNEL } from './sql/advance-head.ts';
export { claimFile, claimSource, type SourceClaim } from './sql/claim-source.ts';
export { readHeadPosition, readSourceCounts } from './sql/read-counts.ts';
export type { IncomingRecord } from './store-records.ts';
