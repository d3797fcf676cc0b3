import { Check } from 'typebox/value';
import {
  type DriverProfile,
  type EventSummary,
  type OverspeedingData,
  type PipelineRecord,
  TRIP_EVENT_NAMES,
  TRIP_EVENT_TYPES,
  type TrailPoint,
  type TripDeleted,
  type TripEvent,
  type TripEventType,
  type TripProcessed,
} from '../vocabulary.ts';
import { decodeObject, MAX_ARCHIVED_BYTES } from './decode.ts';
import { fault, type ParsedRecord, type RecordFault, shown } from './fault.ts';
import { tripTime } from './fields.ts';
import {
  driverProfile,
  faultsOf,
  invalidField,
  isUncheckedObject,
  overspeedingTripEvent,
  plainTripEvent,
  trailPoint,
  tripDeleted,
  tripProcessed,
  type UncheckedObject,
} from './schema.ts';
import { recordWarnings } from './warnings.ts';

export {
  type FetchedRecord,
  keptOf,
  MAX_ARCHIVED_BYTES,
  MAX_RECORD_BYTES,
  readSchemaFrame,
  refuseTooLong,
} from './decode.ts';
export type { DeadLetterReason, ParsedRecord, Refusal } from './fault.ts';
export { isUncheckedObject, type UncheckedObject } from './schema.ts';
export type { RecordWarning } from './warning-reasons.ts';
export { nameWarnings, trailPathWarnings } from './warnings.ts';

/** A trip may start this far in the future, because clocks differ. */
const MAX_START_LEAD_MILLISECONDS = 24 * 60 * 60 * 1_000;

/** Reads all values, or returns null when one of them breaks a rule. */
function readAll<Value>(values: readonly unknown[], read: (value: unknown) => Value | null): Value[] | null {
  const found: Value[] = [];
  for (const value of values) {
    const one = read(value);
    if (one === null) return null;
    found.push(one);
  }
  return found;
}

function isOverspeeding(value: unknown): boolean {
  return isUncheckedObject(value) && value['event_type'] === TRIP_EVENT_TYPES.OVERSPEEDING;
}

function readTripEvent(value: unknown): TripEvent | null {
  if (!isOverspeeding(value)) return plainTripEvent.Check(value) ? complete(value, {}) : null;
  if (!overspeedingTripEvent.Check(value)) return null;
  const { user_speed_mph, speed_limit_mph, max_user_speed_mph } = value.event_data;
  return complete(value, { user_speed_mph, speed_limit_mph, max_user_speed_mph });
}

type CheckedTripEvent = Omit<TripEvent, 'event_name' | 'event_data'> & { event_name?: unknown };

/**
 * Adds the trip event's name, which follows from its type, when the name is absent or null. Returns null for a name
 * that does not match the type.
 */
function complete(value: CheckedTripEvent, event_data: OverspeedingData | Record<string, never>): TripEvent | null {
  const event_name = TRIP_EVENT_NAMES[value.event_type];
  if ((value.event_name ?? event_name) !== event_name) return null;
  return {
    event_type: value.event_type,
    event_name,
    event_start_timestamp: value.event_start_timestamp,
    event_end_timestamp: value.event_end_timestamp,
    event_start_latitude: value.event_start_latitude,
    event_start_longitude: value.event_start_longitude,
    event_end_latitude: value.event_end_latitude,
    event_end_longitude: value.event_end_longitude,
    event_data,
  };
}

function readTrailPoint(value: unknown): TrailPoint | null {
  if (!trailPoint.Check(value)) return null;
  return { timestamp: value.timestamp, latitude: value.latitude, longitude: value.longitude, course: value.course };
}

/** Validates a `trip.processed` record. Returns null when it breaks a rule. */
function readTripProcessed(value: UncheckedObject, now: number): TripProcessed | null {
  if (!tripProcessed.Check(value)) return null;
  const events = readAll(value.events, readTripEvent);
  const trail_path = readAll(value.trail_path, readTrailPoint);
  const { trip_start_time, trip_end_time } = value;
  const [timeFault] = timeFaults(trip_start_time, trip_end_time, now);
  if (events === null || trail_path === null || timeFault) return null;
  const summary = value.event_summary ?? deriveEventSummary(events);
  return {
    kind: value.kind,
    fleet_id: value.fleet_id,
    source_trip_id: value.source_trip_id,
    revision: value.revision,
    driver_id: value.driver_id,
    tracking_id: value.tracking_id ?? null,
    insurance_period: value.insurance_period ?? null,
    trip_start_time,
    trip_end_time,
    duration_seconds: value.duration_seconds,
    distance_miles: value.distance_miles,
    night_driving_seconds: value.night_driving_seconds,
    highway_miles: value.highway_miles,
    night_driving_miles: value.night_driving_miles,
    start_latitude: value.start_latitude,
    start_longitude: value.start_longitude,
    end_latitude: value.end_latitude,
    end_longitude: value.end_longitude,
    event_summary: {
      phone_use_count: summary.phone_use_count,
      rapid_acceleration_count: summary.rapid_acceleration_count,
      hard_brake_count: summary.hard_brake_count,
      overspeeding_count: summary.overspeeding_count,
      phone_use_time_seconds: summary.phone_use_time_seconds,
      overspeeding_time_seconds: summary.overspeeding_time_seconds,
    },
    events,
    trail_path,
  };
}

/**
 * Yields all faults in a `trip.processed` record, first in its own fields, then in its trip events and its trail path,
 * and then in its times.
 */
function* tripProcessedFaults(value: UncheckedObject, now: number): Generator<RecordFault> {
  if (!tripProcessed.Check(value)) yield* faultsOf(tripProcessed.Type(), value, '');
  const { events, trail_path, trip_start_time, trip_end_time } = value;
  if (Array.isArray(events)) {
    for (const [index, event] of events.entries()) yield* tripEventFaults(event, `/events/${index}`);
  }
  if (Array.isArray(trail_path)) {
    for (const [index, point] of trail_path.entries())
      if (!trailPoint.Check(point)) yield* faultsOf(trailPoint.Type(), point, `/trail_path/${index}`);
  }
  if (Check(tripTime, trip_start_time) && Check(tripTime, trip_end_time)) {
    yield* timeFaults(trip_start_time, trip_end_time, now);
  }
}

function* tripEventFaults(value: unknown, path: string): Generator<RecordFault> {
  if (readTripEvent(value) !== null) return;
  const schema = isOverspeeding(value) ? overspeedingTripEvent : plainTripEvent;
  if (schema.Check(value)) yield nameFault(value, path);
  else yield* faultsOf(schema.Type(), value, path);
}

function nameFault({ event_type, event_name }: CheckedTripEvent, path: string): RecordFault {
  const expected = `"${TRIP_EVENT_NAMES[event_type]}" or absent for event_type ${event_type}`;
  return invalidField(`${path}/event_name`, event_name, expected);
}

function* timeFaults(start: number, end: number, now: number): Generator<RecordFault> {
  if (end < start) {
    const message = `The field /trip_end_time must be at least ${start} (the start), but is ${end}.`;
    yield fault('end_before_start', '/trip_end_time', message);
  }
  const latestStart = now + MAX_START_LEAD_MILLISECONDS;
  if (start > latestStart) {
    const message = `The field /trip_start_time must be at most ${latestStart} (24 hours from now), but is ${start}.`;
    yield fault('start_in_future', '/trip_start_time', message);
  }
}

const MILLISECONDS_PER_SECOND = 1000;

/**
 * Derives the summary of a trip whose record does not contain a summary. The summary contains the number of trip events
 * of each type, and the total durations of phone use and overspeeding. A trip event that ends before it starts counts
 * as 0 seconds. The durations are added in milliseconds and divided only once, so the sum does not depend on their
 * order.
 *
 * @param minMilliseconds a trip event's shorter duration counts as this minimum, which is negative only to derive a
 *   summary as an earlier release did
 */
export function deriveEventSummary(events: readonly TripEvent[], minMilliseconds = 0): EventSummary {
  const milliseconds = (event: TripEvent) =>
    Math.max(minMilliseconds, event.event_end_timestamp - event.event_start_timestamp);
  const count = (type: TripEventType) => events.reduce((sum, event) => sum + (event.event_type === type ? 1 : 0), 0);
  const seconds = (type: TripEventType) =>
    events.reduce((sum, event) => sum + (event.event_type === type ? milliseconds(event) : 0), 0) /
    MILLISECONDS_PER_SECOND;
  return {
    phone_use_count: count(TRIP_EVENT_TYPES.PHONE_USE),
    rapid_acceleration_count: count(TRIP_EVENT_TYPES.RAPID_ACCELERATION),
    hard_brake_count: count(TRIP_EVENT_TYPES.HARD_BRAKE),
    overspeeding_count: count(TRIP_EVENT_TYPES.OVERSPEEDING),
    phone_use_time_seconds: seconds(TRIP_EVENT_TYPES.PHONE_USE),
    overspeeding_time_seconds: seconds(TRIP_EVENT_TYPES.OVERSPEEDING),
  };
}

function readDriverProfile(value: UncheckedObject): DriverProfile | null {
  if (!driverProfile.Check(value)) return null;
  const { kind, fleet_id, driver_id, revision } = value;
  const { first_name = null, last_name = null, email = null, alias = null } = value;
  return { kind, fleet_id, driver_id, revision, first_name, last_name, email, alias };
}

function readTripDeleted(value: UncheckedObject): TripDeleted | null {
  if (!tripDeleted.Check(value)) return null;
  const { kind, fleet_id, source_trip_id, revision } = value;
  return { kind, fleet_id, source_trip_id, revision };
}

const KINDS = '"trip.processed", "trip.deleted" or "driver.profile"';

/**
 * Parses and validates the bytes of one record. The result omits unknown fields, has a value for each optional field,
 * and keeps every number unchanged. The function never throws, but returns a fault with the first broken rule and its
 * field. Legal but unusual values cause warnings. Whether a trip starts too far in the future depends on `now` (epoch
 * milliseconds).
 */
export function parseRecord(value: Uint8Array | null, now: number): ParsedRecord {
  const decoded = decodeObject(value);
  return decoded.ok ? parseObject(decoded.object, now) : decoded;
}

function parseObject(object: UncheckedObject, now: number): ParsedRecord {
  const record = readObject(object, now);
  if (record === null) {
    const [first] = objectFaults(object, now);
    return first ?? invalidField('', object, 'a record of this kind');
  }
  const warnings = recordWarnings(object, record);
  return warnings.length === 0 ? { ok: true, record } : { ok: true, record, warnings };
}

function readObject(object: UncheckedObject, now: number): PipelineRecord | null {
  switch (object['kind']) {
    case 'trip.processed':
      return readTripProcessed(object, now);
    case 'trip.deleted':
      return readTripDeleted(object);
    case 'driver.profile':
      return readDriverProfile(object);
    default:
      return null;
  }
}

/** Yields all faults in an object; none if it is a valid record. */
function* objectFaults(object: UncheckedObject, now: number): Generator<RecordFault> {
  const { kind } = object;
  if (kind === 'trip.processed') yield* tripProcessedFaults(object, now);
  else if (kind === 'trip.deleted') yield* faultsOf(tripDeleted.Type(), object, '');
  else if (kind === 'driver.profile') yield* faultsOf(driverProfile.Type(), object, '');
  else if (kind === undefined)
    yield fault('missing_field', '/kind', `The field /kind is missing; it must be ${KINDS}.`);
  else yield fault('unknown_kind', '/kind', `The field /kind must be ${KINDS}, but is ${shown(kind)}.`);
}

/**
 * Parses an archive line, which is a record whose field `milepost` gives the record's place in the log. The line may be
 * longer than other records, because an archive writes every field. For a trip event that ends before it starts, an
 * earlier release counted negative seconds. The summary could therefore have negative seconds, which the rules for
 * records do not allow. A trip with such a summary is accepted only when that release would have derived exactly this
 * summary from the trip's events.
 */
export function parseArchivedRecord(value: Uint8Array | null, now: number): ParsedRecord {
  const decoded = decodeObject(value, MAX_ARCHIVED_BYTES);
  if (!decoded.ok || !isUncheckedObject(decoded.object['milepost'])) return parseRecord(value, now);
  const parsed = parseObject(decoded.object, now);
  if (parsed.ok || !parsed.field?.startsWith('/event_summary/')) return parsed;
  const { event_summary: stored, ...others } = decoded.object;
  const record = readTripProcessed(others, now);
  if (record === null || !isUncheckedObject(stored)) return parsed;
  const event_summary = deriveEventSummary(record.events, Number.NEGATIVE_INFINITY);
  const isAsStored = Object.entries(event_summary).every(([name, figure]) => stored[name] === figure);
  return isAsStored ? { ok: true, record: { ...record, event_summary } } : parsed;
}

/** Yields all faults in a record that `parseRecord` refuses, beginning with the fault that `parseRecord` returns. */
export function* recordFaults(value: Uint8Array | null, now: number): Generator<RecordFault> {
  const decoded = decodeObject(value);
  if (decoded.ok) yield* objectFaults(decoded.object, now);
  else yield decoded;
}
