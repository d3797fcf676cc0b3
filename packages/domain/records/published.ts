import Type, { type TObject } from 'typebox';
import { TRIP_EVENT_NAMES, TRIP_EVENT_TYPES } from '../vocabulary.ts';
import { isUncheckedObject } from './decode.ts';
import {
  driverProfile,
  overspeedingTripEvent,
  plainTripEvent,
  TRAIL_POINT_LIMIT,
  trailPoint,
  tripDeleted,
  tripProcessed,
} from './schema.ts';

/** What each field stands for, by its name, with its unit, and what holds where it is left out. */
const MEANINGS: Readonly<Record<string, string>> = {
  kind: 'What the record says.',
  fleet_id: 'The fleet. It exists once a record or an API key names it.',
  source_trip_id: "The pipeline's own id of the trip: the same in every revision. `trip_id` is worked out from it.",
  revision: 'The highest revision wins, whatever the order of arrival. Raise it whenever anything changes.',
  driver_id: 'The driver. One that no profile names has null names.',
  tracking_id: 'The id that the SDK was given for the trip. Left out: null.',
  insurance_period: 'The insurance period, where the fleet has them. Milepost draws nothing from it. Left out: null.',
  trip_start_time: 'Epoch milliseconds, UTC. The UTC day of the start is the day of the whole trip.',
  trip_end_time: 'Epoch milliseconds, UTC; not before the start. Answers show the trip four hours after it.',
  duration_seconds: 'Seconds of driving. It need not be the end less the start.',
  distance_miles: 'Miles.',
  night_driving_seconds: 'Seconds of driving at night, as the pipeline defines night.',
  highway_miles: 'Miles on highways, as the pipeline defines highways.',
  night_driving_miles: 'Miles at night, as the pipeline defines night.',
  start_latitude: 'Decimal degrees.',
  end_latitude: 'Decimal degrees.',
  start_longitude: 'Decimal degrees.',
  end_longitude: 'Decimal degrees.',
  event_summary: 'Counts and seconds of the trip events. Left out: worked out from `events`.',
  events: 'The trip events, in the order in which they are answered; `[]` for none.',
  trail_path: 'The way driven, in the order in which it is answered; `[]` for none.',
  first_name: 'Left out: null.',
  last_name: 'Left out: null.',
  email: 'Left out: null.',
  alias: 'Another name of the driver. Left out: null.',
  phone_use_count: 'Trip events of type 7.',
  rapid_acceleration_count: 'Trip events of type 1.',
  hard_brake_count: 'Trip events of type 2.',
  overspeeding_count: 'Trip events of type 9.',
  phone_use_time_seconds: 'Seconds that the trip events of type 7 last together.',
  overspeeding_time_seconds: 'Seconds that the trip events of type 9 last together.',
  event_type: '1 rapid acceleration, 2 hard brake, 7 use of the phone, 9 overspeeding.',
  event_name: 'The name of the type. Left out: it follows from `event_type`.',
  event_start_timestamp: 'Epoch milliseconds, UTC.',
  event_end_timestamp: 'Epoch milliseconds, UTC.',
  event_start_latitude: 'Decimal degrees.',
  event_start_longitude: 'Decimal degrees.',
  event_end_latitude: 'Decimal degrees.',
  event_end_longitude: 'Decimal degrees.',
  event_data:
    'The speeds of an overspeeding, which must have them. Of other types nothing in it is kept: answers have `{}`.',
  user_speed_mph: 'Miles an hour: the speed driven.',
  speed_limit_mph: 'Miles an hour: the limit there.',
  max_user_speed_mph: 'Miles an hour: the highest speed driven.',
  timestamp: 'Epoch milliseconds, UTC.',
  latitude: 'Decimal degrees.',
  longitude: 'Decimal degrees.',
  course: 'Degrees from North, clockwise.',
};

const RULES_OF_TRIPS =
  'Beyond this schema: trip_end_time is not before trip_start_time, trip_start_time is at most 24 hours from now.';

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

const kinds = {
  'trip.processed': {
    description: `A trip as the pipeline last saw it. ${RULES_OF_TRIPS}`,
    schema: Type.Object({
      ...tripProcessed.Type().properties,
      events: Type.Array(tripEvents, { description: 'an array of trip events' }),
      trail_path: Type.Array(trailPoint.Type(), {
        maxItems: TRAIL_POINT_LIMIT,
        description: `an array of at most ${TRAIL_POINT_LIMIT} trail points`,
      }),
    }),
  },
  'trip.deleted': {
    description: 'The trip is in no answer any more, until a higher revision of `trip.processed` brings it back.',
    schema: tripDeleted.Type(),
  },
  'driver.profile': { description: 'The names that a driver goes by.', schema: driverProfile.Type() },
} satisfies Record<string, { description: string; schema: TObject }>;

type RecordKind = keyof typeof kinds;

export const RECORD_KINDS = Object.keys(kinds).filter((name): name is RecordKind => Object.hasOwn(kinds, name));

/** A pattern as every dialect of JSON Schema's implementations reads it. */
function portable({ source }: RegExp): string {
  return source
    .replaceAll('\\p{Cs}', '\\ud800-\\udfff')
    .replaceAll('\\p{Cc}', '\\u0000-\\u001f\\u007f-\\u009f')
    .replaceAll('\\0', '\\u0000');
}

/** The schema as JSON, its fields with what they stand for in front of what they must be. */
function published(schema: unknown, name = ''): unknown {
  if (Array.isArray(schema)) return schema.map((each) => published(each));
  if (schema instanceof RegExp) return portable(schema);
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

/** The JSON Schema of a kind of record. Fields that it does not name are allowed, and ignored. */
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
