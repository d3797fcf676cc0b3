export { type AppendCounts, type Appended, append, type IncomingRecord } from './append.ts';
export { SourceFencedError } from './errors.ts';
export { STORED_EVENT_KINDS } from './kinds.ts';
export { type PreparedRecord, prepareRecord } from './prepare.ts';
export { LOG_CHANNEL } from './sql/advance-head.ts';
export { claimFile, claimSource, type SourceClaim } from './sql/claim-source.ts';
