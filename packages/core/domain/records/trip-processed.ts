import { Check } from 'typebox/value';
import { MILLISECONDS_PER_DAY } from '../calendar.ts';
import {
  type OverspeedingData,
  TRIP_EVENT_NAMES,
  TRIP_EVENT_TYPES,
  type TrailPoint,
  type TripEvent,
} from '../vocabulary.ts';
import { isUncheckedObject, type UncheckedObject } from './decode.ts';
import { deriveEventSummary } from './derive-event-summary.ts';
import { explain, faultsOf, invalidField } from './explain.ts';
import { fault, type ParsedRecord, type RecordFault } from './fault.ts';
import { tripTime } from './fields.ts';
import { overspeedingTripEvent, plainTripEvent, trailPoint, tripProcessed } from './schema.ts';

/** A trip may start this far in the future, because clocks differ. */
const MAX_START_LEAD_MILLISECONDS = MILLISECONDS_PER_DAY;

/** Returns a record's trip events in order, or the first fault in the first trip event that breaks a rule. */
function readTripEvents(values: readonly unknown[], path: string): TripEvent[] | RecordFault {
  const events: TripEvent[] = [];
  for (const [index, value] of values.entries()) {
    const event = readTripEvent(value, `${path}/${index}`);
    if ('ok' in event) return event;
    events.push(event);
  }
  return events;
}

function* tripEventFaults(values: readonly unknown[], path: string): Generator<RecordFault> {
  for (const [index, value] of values.entries()) {
    const event = readTripEvent(value, `${path}/${index}`);
    if (!('ok' in event)) continue;
    const schema = isOverspeeding(value) ? overspeedingTripEvent : plainTripEvent;
    if (schema.Check(value)) yield event;
    else yield* faultsOf(schema.Type(), value, `${path}/${index}`);
  }
}

function isOverspeeding(value: unknown): boolean {
  return isUncheckedObject(value) && value['event_type'] === TRIP_EVENT_TYPES.OVERSPEEDING;
}

function readTripEvent(value: unknown, path: string): TripEvent | RecordFault {
  if (isOverspeeding(value)) {
    if (!overspeedingTripEvent.Check(value)) return explain(overspeedingTripEvent.Type(), value, path);
    const { user_speed_mph, speed_limit_mph, max_user_speed_mph } = value.event_data;
    return complete(value, { user_speed_mph, speed_limit_mph, max_user_speed_mph }, path);
  }
  if (!plainTripEvent.Check(value)) return explain(plainTripEvent.Type(), value, path);
  return complete(value, {}, path);
}

type CheckedTripEvent = Omit<TripEvent, 'event_name' | 'event_data'> & { event_name?: unknown };

/**
 * Adds the trip event's name, which follows from its type, when it is absent or null. A name that does not match the
 * type is a fault.
 */
function complete(
  value: CheckedTripEvent,
  event_data: OverspeedingData | Record<string, never>,
  path: string,
): TripEvent | RecordFault {
  const event_name = TRIP_EVENT_NAMES[value.event_type];
  const given = value.event_name ?? event_name;
  if (given !== event_name) {
    return invalidField(`${path}/event_name`, given, `"${event_name}" or absent for event_type ${value.event_type}`);
  }
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

/** Returns a record's trail points in order, or the first fault in the first point that breaks a rule. */
function readTrailPath(values: readonly unknown[], path: string): TrailPoint[] | RecordFault {
  const points: TrailPoint[] = [];
  for (const [index, value] of values.entries()) {
    if (!trailPoint.Check(value)) return explain(trailPoint.Type(), value, `${path}/${index}`);
    points.push({
      timestamp: value.timestamp,
      latitude: value.latitude,
      longitude: value.longitude,
      course: value.course,
    });
  }
  return points;
}

/**
 * Validates a `trip.processed` record, first its own fields, then its trip events, its trail path, and the rules that
 * concern several fields.
 */
export function readTripProcessed(value: UncheckedObject, now: number): ParsedRecord {
  if (!tripProcessed.Check(value)) return explain(tripProcessed.Type(), value, '');
  const events = readTripEvents(value.events, '/events');
  if ('ok' in events) return events;
  const trail_path = readTrailPath(value.trail_path, '/trail_path');
  if ('ok' in trail_path) return trail_path;
  const { trip_start_time, trip_end_time } = value;
  for (const found of timeFaults(trip_start_time, trip_end_time, now)) return found;
  const summary = value.event_summary ?? deriveEventSummary(events);
  return {
    ok: true,
    record: {
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
    },
  };
}

/** Yields all faults in a `trip.processed` record, beginning with the one that `readTripProcessed` returns. */
export function* tripProcessedFaults(value: UncheckedObject, now: number): Generator<RecordFault> {
  if (!tripProcessed.Check(value)) yield* faultsOf(tripProcessed.Type(), value, '');
  const { events, trail_path, trip_start_time, trip_end_time } = value;
  if (Array.isArray(events)) yield* tripEventFaults(events, '/events');
  if (Array.isArray(trail_path)) yield* trailPathFaults(trail_path, '/trail_path');
  if (Check(tripTime, trip_start_time) && Check(tripTime, trip_end_time)) {
    yield* timeFaults(trip_start_time, trip_end_time, now);
  }
}

function* trailPathFaults(values: readonly unknown[], path: string): Generator<RecordFault> {
  for (const [index, value] of values.entries()) {
    if (!trailPoint.Check(value)) yield* faultsOf(trailPoint.Type(), value, `${path}/${index}`);
  }
}

function* timeFaults(start: number, end: number, now: number): Generator<RecordFault> {
  if (end < start) {
    const message = `The field /trip_end_time must be at least ${start}, the start, but is ${end}.`;
    yield fault('end_before_start', '/trip_end_time', message);
  }
  const latestStart = now + MAX_START_LEAD_MILLISECONDS;
  if (start > latestStart) {
    const message = `The field /trip_start_time must be at most ${latestStart}, 24 hours from now, but is ${start}.`;
    yield fault('start_in_future', '/trip_start_time', message);
  }
}
