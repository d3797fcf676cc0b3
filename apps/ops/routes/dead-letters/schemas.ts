import { REASON_CODES } from '@milepost/operations/dead-letters';
import Type from 'typebox';
import { FLEET_ID, nullable, Time } from '../schemas.ts';

export const PARTITIONS = { minimum: 0, maximum: 2_147_483_647 };
/** No text of PostgreSQL holds U+0000: asking for one would fail. */
export const SOME_TEXT = '^[^\\u0000]{1,1000}$';

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

/** Which dead letters are meant; each description says what is right, as faults quote it. */
export const filterFields = {
  reason: Type.Enum([...REASON_CODES], { description: `one of ${REASON_CODES.join(', ')}.` }),
  source: Type.String({
    pattern: SOME_TEXT,
    description: '1 to 1,000 characters: a topic, or `file:` and the name of a file.',
  }),
  partition: Type.Integer({
    ...PARTITIONS,
    description: `a partition, ${PARTITIONS.minimum} to ${PARTITIONS.maximum}; of a file, the number of the run that read it.`,
  }),
  field: Type.String({
    pattern: SOME_TEXT,
    description:
      '1 to 1,000 characters: the path of the field at fault, or of one above it: `/events` for all of them.',
  }),
  fleet_id: Type.String({
    pattern: FLEET_ID,
    description: 'a fleet that the record names: 1 to 64 of the characters A-Z, a-z, 0-9, _ and -.',
  }),
  since: Type.String({
    format: 'date-time',
    description: 'a time with its zone, such as 2025-01-31T08:00:00Z: those received then or later.',
  }),
  until: Type.String({
    format: 'date-time',
    description: 'a time with its zone, such as 2025-01-31T08:00:00Z: those received before.',
  }),
};

/** Most dead letters that one request settles. */
export const MOST_LETTERS = 1_000;

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** What is to be settled: ids, or all open ones that match. Filters go with `all_open` alone, see `readChoice`. */
export const choiceFields = {
  ids: Type.Optional(
    Type.Array(id, { minItems: 1, maxItems: MOST_LETTERS, description: `1 to ${MOST_LETTERS} ids of dead letters.` }),
  ),
  all_open: Type.Optional(
    Type.Literal(true, {
      description: 'true, or absent: instead of ids, all open ones, or those that match the filters.',
    }),
  ),
  reason: Type.Optional(filterFields.reason),
  source: Type.Optional(filterFields.source),
  partition: Type.Optional(filterFields.partition),
  field: Type.Optional(filterFields.field),
  fleet_id: Type.Optional(filterFields.fleet_id),
  since: Type.Optional(filterFields.since),
  until: Type.Optional(filterFields.until),
};

export const left = Type.Integer({
  description: 'Of `all_open`: how many more match that this request has not come to; ask again for the next ones.',
});
