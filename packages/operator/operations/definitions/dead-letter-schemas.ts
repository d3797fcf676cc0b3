import { DEAD_LETTER_REASONS } from '@milepost/domain/dead-letter-reasons';
import Type from 'typebox';
import { FleetId, Moment, Named, nullable, OneOf, Text, WholeNumber } from '../language/schemas.ts';

const REASON_CODES = Object.keys(DEAD_LETTER_REASONS);
const MAX_PARTITION = 2_147_483_647;
/** PostgreSQL's text cannot contain U+0000 or lone surrogates, so a query that contains them would fail. */
const FILTER_TEXT = '^[^\\u0000\\p{Cs}]{1,1000}$';
const TIME = 'a time with a time zone, such as 2025-01-31T08:00:00Z';

export const deadLetterFields = {
  id: WholeNumber('The id of the dead letter.', 12),
  received_at: Moment('The time at which ingest received the record.'),
  topic: Text('The source of the record: a topic, or `file:` followed by a file name.', 'milepost.trips'),
  partition: WholeNumber('The partition of the topic; for a file, the number of the run that read it.', 0),
  offset: WholeNumber('The offset of the record in its partition; for a file, the line number.', 1499),
  reason: Text('The reason code; the `reason` filter lists all codes.', 'missing_field'),
  field: nullable(
    Text('The path of the field at fault; null when the fault concerns the whole record.', '/trip_start_time'),
  ),
  message: Text('The fault, in a sentence.', 'The field /trip_start_time is missing.'),
  raw_bytes: nullable(WholeNumber('The size of the record in bytes; null when it had no value.', 2)),
  resolution: nullable(
    OneOf(
      ['retried', 'duplicate', 'discarded'],
      "Null while the dead letter is open. `retried`: a retry stored the record. `duplicate`: the record's content had already been stored. `discarded`: an operator discarded it.",
    ),
  ),
  resolved_at: nullable(Moment('The time at which the dead letter was settled; null while it is open.')),
  note: nullable(Text("The operator's reason for discarding the dead letter; null otherwise.", 'test data')),
};

export const DeadLetter = Named('DeadLetter', deadLetterFields);

/** Dead letters with the same reason and field. */
export const DeadLetterGroup = Named('DeadLetterGroup', {
  reason: Text('The reason code; the `reason` filter lists all codes.', 'missing_field'),
  field: nullable(
    Text(
      'The path of the field at fault, where `*` matches any index; null when the fault concerns the whole record.',
      '/trip_start_time',
    ),
  ),
  dead_letters: WholeNumber('The number of dead letters in the group.', 1),
  first_received_at: Moment('The time at which ingest received the oldest dead letter in the group.'),
  last_received_at: Moment('The time at which ingest received the newest dead letter in the group.'),
  newest_id: WholeNumber('The id of the newest dead letter in the group.', 12),
});

/** Filters for dead letters. Without a filter, all dead letters are selected. */
export const filterFields = {
  reason: Type.Optional(Type.Enum([...REASON_CODES], { description: `one of ${REASON_CODES.join(', ')}.` })),
  source: Type.Optional(
    Type.String({
      pattern: FILTER_TEXT,
      description: '1 to 1,000 characters: a topic, or `file:` followed by a file name.',
    }),
  ),
  partition: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_PARTITION,
      description: `a partition, 0 to ${MAX_PARTITION}; for a file, the number of the run that read it.`,
    }),
  ),
  field: Type.Optional(
    Type.String({
      pattern: FILTER_TEXT,
      description:
        '1 to 1,000 characters: the path of the field at fault, or of a field that contains it, such as `/events`.',
    }),
  ),
  fleet_id: Type.Optional(FleetId('a fleet named in the record, even if the record is not JSON')),
  since: Type.Optional(
    Type.String({
      format: 'date-time',
      description: `${TIME}: selects the dead letters received at this time or later.`,
    }),
  ),
  until: Type.Optional(
    Type.String({ format: 'date-time', description: `${TIME}: selects the dead letters received before this time.` }),
  ),
};
