export { RECORD_LIMIT_BYTES, TRAIL_POINT_LIMIT } from './limits.ts';
export { parseArchivedRecord, parseRecord } from './parse.ts';
export type { ParsedRecord, RecordFault } from './parsed-record.ts';
export { DEAD_LETTER_REASONS, type DeadLetterReason } from './reasons.ts';
