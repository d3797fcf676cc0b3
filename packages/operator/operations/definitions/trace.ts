import { isCalendarDate } from '@milepost/domain/calendar';
import { traceDriverDay, traceTrip } from '@milepost/lineage';
import { ROLES } from '@milepost/postgres';
import Type from 'typebox';
import { operation } from '../language/operation.ts';
import { Refusal } from '../language/refusal.ts';
import { Day, driver, isText, nullable, Text, WholeNumber, YesNo } from '../language/schemas.ts';
import { CountedEvent, StoredEvent, traceFields } from './trace-schemas.ts';

const TRIP_ID = /^[0-9a-f]{32}$/;

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
  inputErrors: ({ date }) =>
    isCalendarDate(date) ? [] : [{ parameter: 'date', message: 'Must be a day such as 2025-01-31.' }],
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
