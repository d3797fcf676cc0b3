import { TRIP_ID } from '@milepost/domain/ids';
import { traceDriverDay, traceTrip } from '@milepost/lineage';
import { ROLES } from '@milepost/postgres';
import Type from 'typebox';
import { operation } from '../language/operation.ts';
import { Refusal } from '../language/refusal.ts';
import { Day, driver, isText, Moment, Named, nullable, OneOf, Text, WholeNumber, YesNo } from '../language/schemas.ts';
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
  state: OneOf(
    ['current', 'set_aside', 'superseded', 'without_effect'],
    '`current`: the event is shown in responses. `set_aside`: it would be shown, but an operator has set it aside. `superseded`: a higher revision has replaced it. `without_effect`: the log already had a higher revision.',
  ),
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

const StoredEvent = Named('StoredEvent', storedEvent);

const CountedEvent = Named('CountedEvent', {
  ...storedEvent,
  counted: YesNo("Whether the day's sums currently include the stored event."),
});

const Duplicate = Named('Duplicate', {
  position: WholeNumber('The position of the stored event with the same content.', 4711),
  received_at: Moment('The time at which ingest received the record.'),
  ...origin,
});

const TracedDeadLetter = Type.Object({
  ...deadLetterFields,
  match: OneOf(
    ['parsed', 'text'],
    '`parsed`: the fields of the record name the subject. `text`: the record is not a JSON object, and its text contains the ids.',
  ),
});

/** The common part of traces. */
const traceFields = {
  answer_position: WholeNumber('The last log position that API responses reflect.', 6226),
  duplicates: Type.Array(Duplicate, {
    description: 'Duplicate records, each with the same content as the stored event at its `position`.',
  }),
  dead_letters: Type.Array(TracedDeadLetter, { description: 'Records that broke a rule.' }),
  incomplete: Type.Array(Type.String(), {
    description: 'The names of lists that reached their limit and may be incomplete.',
  }),
};

const TripTrace = Type.Object({
  trip_id: Text('The id of the trip, as in API responses.', '2f5e76a3ae0e809f384603a8ee6cee59'),
  fleet_id: Text('The id of the fleet.', 'sunrise-delivery'),
  source_trip_id: nullable(Text('The id given to the trip by its publisher.', 'trip-20250131-17')),
  current_position: nullable(WholeNumber('The position of the stored event that API responses currently show.', 4711)),
  deleted: YesNo('Whether the current stored event is a deletion. If so, no API response contains the trip.'),
  stored_events: Type.Array(StoredEvent, { description: 'All revisions, in the order of the log.' }),
  ...traceFields,
});

export const tripTrace = operation({
  name: 'trace.trip',
  path: '/trips/:trip_id/trace',
  summary: 'Trace a trip',
  description:
    'Every stored event of a trip with its source, and the duplicates and dead letters that concern the trip.',
  // The schema has no pattern, so a malformed id gets the same response as an unknown one.
  input: Type.Object({
    trip_id: Text(
      'the trip_id in an API response: 32 characters from 0-9 and a-f.',
      '2f5e76a3ae0e809f384603a8ee6cee59',
    ),
  }),
  answer: TripTrace,
  heavy: true,
  refusals: ['trip_not_found'],
  async run({ pool }, { trip_id }) {
    const answer = TRIP_ID.test(trip_id) ? await traceTrip(pool(ROLES.operator), trip_id) : null;
    if (answer !== null) return { answer };
    throw new Refusal({ code: 'trip_not_found', trip_id: TRIP_ID.test(trip_id) ? trip_id : null });
  },
});

const DriverDayTrace = Type.Object({
  fleet_id: Text('The id of the fleet.', 'sunrise-delivery'),
  driver_id: Text('The id of the driver.', 'driver-00001'),
  date: Day,
  trip_count: WholeNumber("The number of trips in the day's summary.", 3),
  stored_events: Type.Array(CountedEvent, {
    description: 'All revisions of all trips that the driver has or had on that day, grouped by trip.',
  }),
  profile_events: Type.Array(StoredEvent, { description: "The revisions of the driver's profile." }),
  ...traceFields,
});

export const driverDayTrace = operation({
  name: 'trace.driver',
  arguments: ['fleet_id', 'driver_id', 'date'],
  path: '/drivers/:fleet_id/:driver_id/trace',
  summary: "Trace a driver's day",
  description:
    "Every stored event that affects a driver's summary for one UTC day, including those of moved and deleted trips, with the related duplicates and dead letters.",
  input: Type.Object({
    ...driver,
    date: Type.String({ format: 'date', description: 'a day in UTC, such as 2025-01-31.' }),
  }),
  answer: DriverDayTrace,
  heavy: true,
  refusals: ['driver_not_found'],
  async run({ pool }, { fleet_id, driver_id, date }) {
    const answer = isText(driver_id) ? await traceDriverDay(pool(ROLES.operator), fleet_id, driver_id, date) : null;
    if (answer !== null) return { answer };
    throw new Refusal({ code: 'driver_not_found', fleet_id, driver_id });
  },
});

export const operations = [tripTrace, driverDayTrace];
