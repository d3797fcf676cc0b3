/** What is legal in a record, and odd: a closed list, each code with what it means. Such a record is stored as it is. */
export const WARNINGS = {
  other_name: 'A field that is absent seems to be there under another name, which is ignored.',
  unknown_field: 'A field is of no name that Milepost knows, and is ignored.',
  part_exceeds_whole: 'A part of the miles or seconds is more than all of them.',
  duration_differs: 'The seconds driven are far from the end less the start: by more than a minute and a fifth.',
  trip_event_outside_trip: 'A trip event begins before its trip, or ends after it.',
  trip_event_end_before_start: 'A trip event ends before it starts; it lasts no time in a derived summary.',
  timestamp_in_seconds: 'A timestamp has 10 digits, as epoch seconds have; it is taken as milliseconds.',
  course_out_of_range: 'A course is less than 0 or more than 360 degrees.',
} as const;

type WarningReason = keyof typeof WARNINGS;

/** `field` is a path of the schemas, `*` standing for any index; `name` is the name that the record has there instead. */
export interface RecordWarning {
  reason: WarningReason;
  field: string;
  name?: string;
}
