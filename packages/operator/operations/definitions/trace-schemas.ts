import Type from 'typebox';
import { Moment, nullable, Text, WholeNumber, YesNo } from '../language/schemas.ts';
import { deadLetterFields } from './dead-letter-schemas.ts';

/** The source of a record. For a file, `partition` is the number of the run and `offset` is the line number. */
const origin = {
  topic: Text('The topic, or `file:` followed by the file name.', 'milepost.trips'),
  partition: WholeNumber('The partition of the topic; for a file, the number of the run that read it.', 0),
  offset: WholeNumber('The offset of the record in its partition; for a file, the line number.', 1499),
};
const Milliseconds = nullable(
  Type.Integer({ description: 'Epoch milliseconds; null for kinds without this time.', examples: [1_738_310_400_000] }),
);

const storedEvent = {
  position: WholeNumber('The position of the stored event in the log.', 4711),
  kind: Text('`trip.processed`, `trip.deleted`, `driver.profile` or `driver.erased`.', 'trip.processed'),
  revision: WholeNumber('The revision of the trip or profile.', 1),
  state: Type.Enum(['current', 'set_aside', 'superseded', 'without_effect'], {
    description:
      '`current`: the event is shown in responses. `set_aside`: it would be shown, but an operator has set it aside. `superseded`: a higher revision has replaced it. `without_effect`: the log already had a higher revision.',
    examples: ['current'],
  }),
  fleet_id: Text('The id of the fleet.', 'sunrise-delivery'),
  driver_id: nullable(Text('The id of the driver.', 'driver-00001')),
  trip_id: nullable(Text('The id of the trip, as in API responses.', '2f5e76a3ae0e809f384603a8ee6cee59')),
  source_trip_id: nullable(Text("The pipeline's own id for the trip.", 'trip-20250131-17')),
  trip_start_time: Milliseconds,
  trip_end_time: Milliseconds,
  stored_at: Moment('The time at which the event was stored.'),
  ...origin,
  traceparent: nullable(
    Text(
      'The trace that the record belongs to, from its Kafka header `traceparent`; null when it had none.',
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    ),
  ),
  effective: YesNo('Whether this revision was the highest in the log when the event was stored.'),
  supersedes: nullable(
    WholeNumber('The position of the stored event replaced by this one; null if it replaced none.', 4710),
  ),
  superseded_by: nullable(
    WholeNumber('The position of the stored event that replaced this one; null until it is replaced.', 4712),
  ),
  set_aside: nullable(
    Text('Why an operator has set the stored event aside; null if none has.', 'trips 2 cannot render it'),
  ),
};

export const StoredEvent = Type.Object(storedEvent, { $id: 'StoredEvent' });

export const CountedEvent = Type.Object(
  {
    ...storedEvent,
    counted: YesNo("Whether the day's sums currently include the stored event."),
  },
  { $id: 'CountedEvent' },
);

const Duplicate = Type.Object(
  {
    position: WholeNumber('The position of the stored event with the same content.', 4711),
    received_at: Moment('The time at which ingest received the record.'),
    ...origin,
  },
  { $id: 'Duplicate' },
);

const TracedDeadLetter = Type.Object({
  ...deadLetterFields,
  match: Type.Enum(['parsed', 'text'], {
    description:
      '`parsed`: the fields of the record name the subject. `text`: the record is not a JSON object, and its text contains the ids.',
    examples: ['parsed'],
  }),
});

/** The common part of traces. */
export const traceFields = {
  answer_position: WholeNumber('The last log position that API responses reflect.', 6226),
  duplicates: Type.Array(Duplicate, {
    description: 'Duplicate records, each with the same content as the stored event at its `position`.',
  }),
  dead_letters: Type.Array(TracedDeadLetter, { description: 'Records that broke a rule.' }),
  incomplete: Type.Array(Type.String(), {
    description: 'The names of lists that reached their limit and may be incomplete.',
  }),
};
