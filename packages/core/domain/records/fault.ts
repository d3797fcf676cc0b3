import type { PipelineRecord } from '../vocabulary.ts';
import type { RecordWarning } from './warning-reasons.ts';

const MAX_SHOWN_CHARACTERS = 40;

/** The closed list of codes that say why a record cannot be stored, each with its meaning. */
export const DEAD_LETTER_REASONS = {
  null_value: 'The message has no value (a Kafka tombstone).',
  empty_value: 'The value has no bytes.',
  record_too_large: 'The value exceeds the maximum size of a record.',
  batch_too_large:
    'The records in a Kafka batch exceed the size limit. The dead letter represents all records that were not read.',
  batch_unreadable:
    'A Kafka batch was damaged before it was published, or its format is older than Kafka 0.11. The dead letter represents all records that were not read.',
  unsupported_format:
    'The value has a schema registry header with no JSON object after it: it is Avro, Protobuf or another format.',
  invalid_utf8: 'The bytes are not UTF-8.',
  invalid_json: 'The text is not JSON.',
  not_an_object: 'The JSON is not an object.',
  unknown_kind: "The record's kind is unknown.",
  missing_field: 'A required field is missing.',
  invalid_field: 'A field has a value that its rule does not allow.',
  end_before_start: 'The trip ends before it starts.',
  start_in_future: 'The trip starts more than 24 hours in the future.',
  revision_conflict: 'The revision has already been stored with different content.',
  driver_erased: "The driver was or may have been erased; none of the record's content is kept.",
} as const;

export type DeadLetterReason = keyof typeof DEAD_LETTER_REASONS;

/**
 * Why a record cannot be stored. `field` is the path of the field (`/events/3/event_type`), or null when the fault
 * affects the whole record. `message` is one sentence without control characters, so that it fits a text column and a
 * log line.
 */
export interface Refusal {
  reason: DeadLetterReason;
  field: string | null;
  message: string;
}

/** A fault in a record. */
export interface RecordFault extends Refusal {
  ok: false;
}

/** A record with its warnings (if any), or the first fault in the record. */
export type ParsedRecord = { ok: true; record: PipelineRecord; warnings?: readonly RecordWarning[] } | RecordFault;

export function fault(reason: DeadLetterReason, field: string | null, message: string): RecordFault {
  return { ok: false, reason, field, message };
}

/** Returns a value as it appears in messages, shortened and without control characters or lone surrogates. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return shownString(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (Object.is(value, -0)) return '-0';
  return String(value);
}

function shownString(value: string): string {
  const start = value.slice(0, MAX_SHOWN_CHARACTERS);
  // JSON.stringify escapes lone surrogates and control characters, but not the control characters above U+007E.
  const quoted = JSON.stringify(start).replaceAll(/\p{Cc}/gu, '\ufffd');
  return start.length === value.length ? quoted : `${quoted}... (${value.length} characters)`;
}
