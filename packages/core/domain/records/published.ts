import Type, { type TObject } from 'typebox';
import { TRIP_EVENT_NAMES, TRIP_EVENT_TYPES } from '../vocabulary.ts';
import {
  driverProfile,
  isUncheckedObject,
  overspeedingTripEvent,
  plainTripEvent,
  trailPoint,
  tripDeleted,
  tripProcessed,
} from './schema.ts';

/** The meaning, unit and default of each field, by field name. */
const MEANINGS: Readonly<Record<string, string>> = {
  kind: 'The kind of the record.',
  fleet_id: 'The fleet. The first record or API key that names a fleet creates it.',
  source_trip_id: "The pipeline's own id of the trip, the same in every revision. `trip_id` is derived from it.",
  revision: 'The highest revision wins, whatever the order of arrival. Raise it whenever anything changes.',
  driver_id: 'The driver. A driver without a profile has null names.',
  tracking_id: 'The id that the SDK received for the trip. Default: null.',
  insurance_period:
    'The insurance period, if the fleet has insurance periods. Milepost computes nothing from it. Default: null.',
  trip_start_time: 'Epoch milliseconds, UTC. The UTC day of the start is the day of the whole trip.',
  trip_end_time: 'Epoch milliseconds, UTC, not before the start. The API shows the trip from four hours after its end.',
  duration_seconds: 'Seconds of driving, which can differ from end minus start.',
  distance_miles: 'Miles.',
  night_driving_seconds: 'Seconds of driving at night, as the pipeline defines night.',
  highway_miles: 'Miles on highways, as the pipeline defines highways.',
  night_driving_miles: 'Miles at night, as the pipeline defines night.',
  start_latitude: 'Decimal degrees.',
  end_latitude: 'Decimal degrees.',
  start_longitude: 'Decimal degrees.',
  end_longitude: 'Decimal degrees.',
  event_summary: 'Counts and seconds of the trip events. Default: derived from `events`.',
  events: 'The trip events, in the order in which responses list them; `[]` for none.',
  trail_path: 'The recorded path, in the order in which responses list it; `[]` for none.',
  first_name: 'Default: null.',
  last_name: 'Default: null.',
  email: 'Default: null.',
  alias: 'An alias of the driver. Default: null.',
  phone_use_count: 'Trip events of type 7.',
  rapid_acceleration_count: 'Trip events of type 1.',
  hard_brake_count: 'Trip events of type 2.',
  overspeeding_count: 'Trip events of type 9.',
  phone_use_time_seconds: 'The total duration of the trip events of type 7, in seconds.',
  overspeeding_time_seconds: 'The total duration of the trip events of type 9, in seconds.',
  event_type: '1 rapid acceleration, 2 hard brake, 7 use of the phone, 9 overspeeding.',
  event_name: 'The name of the type. Default: the name that belongs to `event_type`.',
  event_start_timestamp: 'Epoch milliseconds, UTC.',
  event_end_timestamp: 'Epoch milliseconds, UTC.',
  event_start_latitude: 'Decimal degrees.',
  event_start_longitude: 'Decimal degrees.',
  event_end_latitude: 'Decimal degrees.',
  event_end_longitude: 'Decimal degrees.',
  event_data:
    'The speeds of a trip event of type 9, for which this field is required. For other types, this field is ignored, and responses contain `{}`.',
  user_speed_mph: 'The speed in miles per hour.',
  speed_limit_mph: 'The speed limit in miles per hour.',
  max_user_speed_mph: 'The maximum speed in miles per hour.',
  timestamp: 'Epoch milliseconds, UTC.',
  latitude: 'Decimal degrees.',
  longitude: 'Decimal degrees.',
  course: 'Degrees clockwise from north.',
};

const RULES_OF_TRIPS =
  'Rules beyond this schema: trip_end_time is not before trip_start_time, and trip_start_time is at most 24 hours from now.';

const tripEvents = Type.Union(
  Object.values(TRIP_EVENT_TYPES).map((type) => {
    const { properties } = (type === TRIP_EVENT_TYPES.OVERSPEEDING ? overspeedingTripEvent : plainTripEvent).Type();
    const name = TRIP_EVENT_NAMES[type];
    return Type.Object({
      ...properties,
      event_type: Type.Literal(type, { description: String(type) }),
      event_name: Type.Optional(Type.Union([Type.Null(), Type.Literal(name)], { description: `null or "${name}"` })),
    });
  }),
);

const { properties: ofTrip } = tripProcessed.Type();

const kinds = {
  'trip.processed': {
    description: `A processed trip. ${RULES_OF_TRIPS}`,
    schema: Type.Object({
      ...ofTrip,
      events: { ...ofTrip.events, items: tripEvents },
      trail_path: { ...ofTrip.trail_path, items: trailPoint.Type() },
    }),
  },
  'trip.deleted': {
    description: 'Removes a trip from all responses, until a higher revision of `trip.processed` restores it.',
    schema: tripDeleted.Type(),
  },
  'driver.profile': { description: 'The names of a driver.', schema: driverProfile.Type() },
} satisfies Record<string, { description: string; schema: TObject }>;

type RecordKind = keyof typeof kinds;

export const RECORD_KINDS = Object.keys(kinds).filter((name): name is RecordKind => Object.hasOwn(kinds, name));

/** Returns the schema as JSON, where each field's description gives its meaning and its rule. */
function published(schema: unknown, name = ''): unknown {
  if (Array.isArray(schema)) return schema.map((each) => published(each));
  if (!isUncheckedObject(schema)) return schema;
  const { properties, description, ...others } = schema;
  const meaning = Object.hasOwn(MEANINGS, name) ? MEANINGS[name] : undefined;
  const rule = description === undefined ? '' : `Must be ${description}.`;
  const text = [meaning, rule].filter(Boolean).join(' ');
  const fields = isUncheckedObject(properties)
    ? Object.fromEntries(Object.entries(properties).map(([field, each]) => [field, published(each, field)]))
    : undefined;
  return {
    ...(text === '' ? {} : { description: text }),
    ...Object.fromEntries(Object.entries(others).map(([keyword, each]) => [keyword, published(each)])),
    ...(fields === undefined ? {} : { properties: fields }),
  };
}

/** Returns the JSON Schema for a kind of record. The schema allows other fields, which are ignored. */
export function recordSchema(kind: RecordKind): object {
  const { schema, description } = kinds[kind];
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:milepost:record:${kind}`,
    title: kind,
    description,
    ...Object(published(schema)),
  };
}
