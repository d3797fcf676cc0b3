import { DEAD_LETTER_REASONS } from '@milepost/domain/dead-letter-reasons';
import Type, { type Static } from 'typebox';
import { FleetId, nullable, Time } from '../schemas.ts';

const REASON_CODES = Object.keys(DEAD_LETTER_REASONS);
const LARGEST_PARTITION = 2_147_483_647;
/** No text of PostgreSQL holds U+0000 or half a character: asking for one would fail. */
const SOME_TEXT = '^[^\\u0000\\p{Cs}]{1,1000}$';
const TIME = 'a time with its zone, such as 2025-01-31T08:00:00Z';

export const deadLetterFields = {
  id: Type.Integer(),
  received_at: Time,
  topic: Type.String({ description: 'Where the record came from: a topic, or `file:` and the name of a file.' }),
  partition: Type.Integer({ description: 'Of a file: the number of the run that read it.' }),
  offset: Type.Integer({ description: 'Of a file: the line.' }),
  reason: Type.String({ description: 'A code; see the filter `reason`.' }),
  field: nullable(Type.String({ description: 'Path of the offending field, such as `/trip_start_time`.' })),
  message: Type.String({ description: 'What is wrong.' }),
  raw_bytes: nullable(Type.Integer({ description: 'Null when the record had no value at all.' })),
  resolution: nullable(
    Type.Enum(['retried', 'duplicate', 'discarded'], {
      description: 'Null while open. `retried`: stored after all. `duplicate`: its content was stored already.',
    }),
  ),
  resolved_at: nullable(Time),
  note: nullable(Type.String({ description: 'Of discarded ones: why.' })),
};

export const DeadLetter = Type.Object(deadLetterFields, { $id: 'DeadLetter' });
export type DeadLetter = Static<typeof DeadLetter>;

/** Dead letters that have the same reason and field. */
export const DeadLetterGroup = Type.Object(
  {
    reason: Type.String({ description: 'A code; see the filter `reason`.' }),
    field: nullable(Type.String({ description: 'Path of the offending field, `*` standing for any index.' })),
    dead_letters: Type.Integer({ description: 'How many there are.' }),
    first_received_at: Time,
    last_received_at: Time,
    newest_id: Type.Integer({ description: 'The newest of them, as an example.' }),
  },
  { $id: 'DeadLetterGroup' },
);
export type DeadLetterGroup = Static<typeof DeadLetterGroup>;

/** Which open dead letters are meant; all of them where nothing is said. */
export const filterFields = {
  reason: Type.Optional(Type.Enum([...REASON_CODES], { description: `one of ${REASON_CODES.join(', ')}.` })),
  source: Type.Optional(
    Type.String({
      pattern: SOME_TEXT,
      description: '1 to 1,000 characters: a topic, or `file:` and the name of a file.',
    }),
  ),
  partition: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LARGEST_PARTITION,
      description: `a partition, 0 to ${LARGEST_PARTITION}; of a file, the number of the run that read it.`,
    }),
  ),
  field: Type.Optional(
    Type.String({
      pattern: SOME_TEXT,
      description:
        '1 to 1,000 characters: the path of the field at fault, or of one above it: `/events` for all of them.',
    }),
  ),
  fleet_id: Type.Optional(FleetId('a fleet that the record names, whether or not it is JSON')),
  since: Type.Optional(Type.String({ format: 'date-time', description: `${TIME}: those received then or later.` })),
  until: Type.Optional(Type.String({ format: 'date-time', description: `${TIME}: those received before.` })),
};

const Filter = Type.Object(filterFields);
export type DeadLetterFilter = Static<typeof Filter>;
