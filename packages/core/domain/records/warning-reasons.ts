/**
 * The closed list of codes for legal but unusual content in records, each with its meaning. Records with unusual
 * content are stored unchanged.
 */
export const WARNINGS = {
  other_name: 'A missing field seems to have been sent under another name, but that name is ignored.',
  unknown_field: 'A field has an unknown name and is ignored.',
  part_exceeds_whole: 'A partial distance or duration exceeds the total.',
  duration_differs: 'The duration differs from end minus start by more than a minute and by more than a fifth.',
  trip_event_outside_trip: 'A trip event begins before its trip or ends after it.',
  trip_event_end_before_start:
    'A trip event ends before it starts. A derived summary counts the trip event as 0 seconds.',
  timestamp_in_seconds: 'A timestamp has 10 digits, like epoch seconds, but is read as milliseconds.',
  course_out_of_range: 'A course is less than 0 or more than 360 degrees.',
} as const;

type WarningReason = keyof typeof WARNINGS;

/** `field` is the path of a field, with `*` for any index. `name` is the unknown name that the record contains. */
export interface RecordWarning {
  reason: WarningReason;
  field: string;
  name?: string;
}
