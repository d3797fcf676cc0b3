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
