import type { PipelineRecord } from '../vocabulary.ts';
import type { RecordWarning } from './warning-reasons.ts';

const SHOWN_CHARACTERS = 40;

/** Why a record can never be stored as it is: a closed list, each code with what it means. */
export const DEAD_LETTER_REASONS = {
  null_value: 'The message has no value at all (a Kafka tombstone).',
  empty_value: 'The value has no bytes.',
  record_too_large: 'The value has more bytes than a record may have.',
  invalid_utf8: 'The bytes are not UTF-8.',
  invalid_json: 'The text is not JSON.',
  not_an_object: 'The JSON is not an object.',
  unknown_kind: 'The record is of no kind that Milepost knows.',
  missing_field: 'A required field is absent.',
  invalid_field: 'A field holds a value that its rule does not allow.',
  end_before_start: 'The trip ends before it starts.',
  start_in_future: 'The trip starts more than 24 hours in the future.',
  revision_conflict: 'The revision is already stored with other content.',
  driver_erased: 'The driver was erased, or may have been; nothing of the record is kept.',
} as const;

export type DeadLetterReason = keyof typeof DEAD_LETTER_REASONS;

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

/** `warnings` says what is odd in it, if anything is. */
export type ParsedRecord = { ok: true; record: PipelineRecord; warnings?: readonly RecordWarning[] } | RecordFault;

export function fault(reason: DeadLetterReason, field: string | null, message: string): RecordFault {
  return { ok: false, reason, field, message };
}

/** A value as it appears in a message: short whatever its size, and without control characters or half characters. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return shownString(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (Object.is(value, -0)) return '-0';
  return String(value);
}

function shownString(value: string): string {
  const start = value.slice(0, SHOWN_CHARACTERS);
  // JSON escapes half characters and all control characters but those above U+007E.
  const quoted = JSON.stringify(start).replaceAll(/\p{Cc}/gu, '\ufffd');
  return start.length === value.length ? quoted : `${quoted}... (${value.length} long)`;
}
