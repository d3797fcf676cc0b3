export { MAX_ARCHIVED_BYTES, MAX_RECORD_BYTES, readSchemaFrame } from './decode.ts';
export type { DeadLetterReason, ParsedRecord, RecordFault } from './fault.ts';
export { recordFaults } from './faults.ts';
export { deriveEventSummary, parseArchivedRecord, parseRecord } from './parse.ts';
export type { RecordWarning } from './warning-reasons.ts';
export { nameWarnings, trailPathWarnings } from './warnings.ts';
