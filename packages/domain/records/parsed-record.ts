import type { PipelineRecord } from '../vocabulary.ts';
import type { DeadLetterReason } from './reasons.ts';

/**
 * What is wrong with a record: `field` is the path of the offending field (`/events/3/event_type`), or null when it is
 * the record as a whole; `message` is one sentence without control characters, fit for a text column and a log line.
 */
export interface RecordFault {
  ok: false;
  reason: DeadLetterReason;
  field: string | null;
  message: string;
}

export type ParsedRecord = { ok: true; record: PipelineRecord } | RecordFault;

export function fault(reason: DeadLetterReason, field: string | null, message: string): RecordFault {
  return { ok: false, reason, field, message };
}
