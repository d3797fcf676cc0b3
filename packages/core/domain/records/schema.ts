import Type, { type TObject, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Check } from 'typebox/value';
import { MAX_TRAIL_POINTS } from '../vocabulary.ts';
import { fault, type RecordFault, shown } from './fault.ts';
import * as field from './fields.ts';

/**
 * The schemas of records. Faults are reported in the order of the fields. Fields that are not listed are allowed. The
 * elements of arrays have their own schemas, so that a fault in a long array can be explained without visiting the
 * other elements.
 */

export const eventSummary = Type.Object({
  phone_use_count: field.count,
  rapid_acceleration_count: field.count,
  hard_brake_count: field.count,
  overspeeding_count: field.count,
  phone_use_time_seconds: field.amount,
  overspeeding_time_seconds: field.amount,
});

export const tripProcessed = Compile(
  Type.Object({
    kind: field.kind('trip.processed'),
    fleet_id: field.fleetId,
    source_trip_id: field.sourceTripId,
    revision: field.revision,
    driver_id: field.driverId,
    tracking_id: field.trackingId,
    insurance_period: field.insurancePeriod,
    trip_start_time: field.tripTime,
    trip_end_time: field.tripTime,
    duration_seconds: field.amount,
    distance_miles: field.amount,
    night_driving_seconds: field.amount,
    highway_miles: field.amount,
    night_driving_miles: field.amount,
    start_latitude: field.latitude,
    end_latitude: field.latitude,
    start_longitude: field.longitude,
    end_longitude: field.longitude,
    event_summary: Type.Optional(
      Type.Union([eventSummary, Type.Null()], { description: 'null or an object with the six summary fields' }),
    ),
    events: Type.Array(Type.Unknown(), { description: 'an array of trip events' }),
    trail_path: Type.Array(Type.Unknown(), {
      maxItems: MAX_TRAIL_POINTS,
      description: `an array of at most ${MAX_TRAIL_POINTS} trail points`,
    }),
  }),
);

export const tripDeleted = Compile(
  Type.Object({
    kind: field.kind('trip.deleted'),
    fleet_id: field.fleetId,
    source_trip_id: field.sourceTripId,
    revision: field.revision,
  }),
);

export const driverProfile = Compile(
  Type.Object({
    kind: field.kind('driver.profile'),
    fleet_id: field.fleetId,
    driver_id: field.driverId,
    revision: field.revision,
    first_name: field.optionalText,
    last_name: field.optionalText,
    email: field.optionalText,
    alias: field.optionalText,
  }),
);

const tripEventPlace = {
  event_start_timestamp: field.timestamp,
  event_end_timestamp: field.timestamp,
  event_start_latitude: field.finiteNumber,
  event_start_longitude: field.finiteNumber,
  event_end_latitude: field.finiteNumber,
  event_end_longitude: field.finiteNumber,
};

export const plainTripEvent = Compile(
  Type.Object({
    event_type: Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(7)], { description: '1, 2, 7 or 9' }),
    ...tripEventPlace,
    event_data: Type.Optional(Type.Union([Type.Object({}), Type.Null()], { description: 'null or an object' })),
  }),
);

export const overspeedingTripEvent = Compile(
  Type.Object({
    event_type: Type.Literal(9),
    ...tripEventPlace,
    event_data: Type.Object({
      user_speed_mph: field.finiteNumber,
      speed_limit_mph: field.finiteNumber,
      max_user_speed_mph: field.finiteNumber,
    }),
  }),
);

export const trailPoint = Compile(
  Type.Object({
    timestamp: field.timestamp,
    latitude: field.finiteNumber,
    longitude: field.finiteNumber,
    course: field.finiteNumber,
  }),
);

/** A JSON object whose fields have not been validated yet. */
export type UncheckedObject = Readonly<Record<string, unknown>>;

export function isUncheckedObject(value: unknown): value is UncheckedObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Yields the faults in a value that the schema refused, in the order of the schema's fields. `path` is the value's path
 * in the record. The function runs only for refused values, one object at a time, so it need not be fast.
 */
export function* faultsOf(schema: TSchema, value: unknown, path: string): Generator<RecordFault> {
  const object = objectSchemaOf(schema);
  if (object === undefined || !isUncheckedObject(value)) {
    yield invalidField(path, value, expectation(schema));
    return;
  }
  for (const [name, each] of Object.entries(object.properties)) {
    const fieldPath = `${path}/${name}`;
    if (!Object.hasOwn(value, name)) {
      if (Type.IsOptional(each)) continue;
      const message = `The field ${fieldPath} is missing; it must be ${expectation(each)}.`;
      yield fault('missing_field', fieldPath, message);
    } else if (!Check(each, value[name])) yield* faultsOf(each, value[name], fieldPath);
  }
}

/** Returns a fault that says what the value at `path` must be and what it is. */
export function invalidField(path: string, value: unknown, expected: string): RecordFault {
  return fault('invalid_field', path, `The field ${path} must be ${expected}, but is ${shown(value)}.`);
}

function objectSchemaOf(schema: TSchema): TObject | undefined {
  if (Type.IsObject(schema)) return schema;
  return Type.IsUnion(schema) ? schema.anyOf.find((option) => Type.IsObject(option)) : undefined;
}

/** Describes the values that a schema allows. */
function expectation(schema: TSchema): string {
  return 'description' in schema && typeof schema.description === 'string' ? schema.description : 'an object';
}
