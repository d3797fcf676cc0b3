import type { UncheckedObject } from './decode.ts';
import { deriveEventSummary } from './derive-event-summary.ts';
import { explain } from './explain.ts';
import { START_LEAD_LIMIT_MILLISECONDS } from './limits.ts';
import { fault, type ParsedRecord } from './parsed-record.ts';
import { tripProcessed } from './schema.ts';
import { readTrailPath } from './trail-path.ts';
import { readTripEvents } from './trip-event.ts';

/** A `trip.processed` record: its shape first, then its trip events, its trail, and last the rules between fields. */
export function readTripProcessed(value: UncheckedObject, now: number): ParsedRecord {
  if (!tripProcessed.Check(value)) return explain(tripProcessed.Type(), value, '');
  const events = readTripEvents(value.events, '/events');
  if ('ok' in events) return events;
  const trail_path = readTrailPath(value.trail_path, '/trail_path');
  if ('ok' in trail_path) return trail_path;
  const { trip_start_time, trip_end_time } = value;
  if (trip_end_time < trip_start_time) {
    const message = `The field /trip_end_time must be at least ${trip_start_time}, the start, but is ${trip_end_time}.`;
    return fault('end_before_start', '/trip_end_time', message);
  }
  const latestStart = now + START_LEAD_LIMIT_MILLISECONDS;
  if (trip_start_time > latestStart) {
    const message = `The field /trip_start_time must be at most ${latestStart}, 24 hours from now, but is ${trip_start_time}.`;
    return fault('start_in_future', '/trip_start_time', message);
  }
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
