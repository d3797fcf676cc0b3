import type { DriverProfile, EventSummary, TripDeleted, TripEvent, TripProcessed } from '@milepost/domain/vocabulary';

export type Content = TripProcessed | TripDeleted | DriverProfile;

const EVENT_NAMES = { 1: 'RAPID_ACCELERATION', 2: 'HARD_BRAKE', 7: 'PHONE_USE', 9: 'OVERSPEEDING' } as const;

function completeEvent(event: TripEvent): TripEvent {
  const { user_speed_mph = 0, speed_limit_mph = 0, max_user_speed_mph = 0 } = event.event_data ?? {};
  return {
    event_type: event.event_type,
    event_name: EVENT_NAMES[event.event_type],
    event_start_timestamp: event.event_start_timestamp,
    event_end_timestamp: event.event_end_timestamp,
    event_start_latitude: event.event_start_latitude,
    event_start_longitude: event.event_start_longitude,
    event_end_latitude: event.event_end_latitude,
    event_end_longitude: event.event_end_longitude,
    event_data: event.event_type === 9 ? { user_speed_mph, speed_limit_mph, max_user_speed_mph } : {},
  };
}

function summaryOf(events: readonly TripEvent[]): EventSummary {
  const of = (type: number) => events.filter((event) => event.event_type === type);
  const seconds = (type: number) =>
    of(type).reduce((sum, event) => sum + Math.max(0, event.event_end_timestamp - event.event_start_timestamp), 0) /
    1000;
  return {
    phone_use_count: of(7).length,
    rapid_acceleration_count: of(1).length,
    hard_brake_count: of(2).length,
    overspeeding_count: of(9).length,
    phone_use_time_seconds: seconds(7),
    overspeeding_time_seconds: seconds(9),
  };
}

/** The fields that the API serves are in the order in which it serves them. */
function completeTrip(trip: TripProcessed): TripProcessed {
  const given: Partial<TripProcessed> = trip;
  const events = trip.events.map(completeEvent);
  const summary = given.event_summary ?? summaryOf(events);
  return {
    kind: 'trip.processed',
    fleet_id: trip.fleet_id,
    source_trip_id: trip.source_trip_id,
    revision: trip.revision,
    tracking_id: given.tracking_id ?? null,
    driver_id: trip.driver_id,
    trip_start_time: trip.trip_start_time,
    trip_end_time: trip.trip_end_time,
    duration_seconds: trip.duration_seconds,
    distance_miles: trip.distance_miles,
    insurance_period: given.insurance_period ?? null,
    start_latitude: trip.start_latitude,
    start_longitude: trip.start_longitude,
    end_latitude: trip.end_latitude,
    end_longitude: trip.end_longitude,
    night_driving_seconds: trip.night_driving_seconds,
    highway_miles: trip.highway_miles,
    night_driving_miles: trip.night_driving_miles,
    event_summary: {
      phone_use_count: summary.phone_use_count,
      rapid_acceleration_count: summary.rapid_acceleration_count,
      hard_brake_count: summary.hard_brake_count,
      overspeeding_count: summary.overspeeding_count,
      phone_use_time_seconds: summary.phone_use_time_seconds,
      overspeeding_time_seconds: summary.overspeeding_time_seconds,
    },
    events,
    trail_path: trip.trail_path.map(({ timestamp, latitude, longitude, course }) => ({
      timestamp,
      latitude,
      longitude,
      course,
    })),
  };
}

/** The content of a valid record: only known fields, in a fixed order, with defaults for optional fields. */
export function contentOf(text: string): Content {
  const record: Content = JSON.parse(text);
  if (record.kind === 'trip.processed') return completeTrip(record);
  const { kind, fleet_id, revision } = record;
  if (record.kind === 'trip.deleted') {
    return { kind: 'trip.deleted', fleet_id, source_trip_id: record.source_trip_id, revision };
  }
  if (kind !== 'driver.profile') throw new Error(`The test must mark this record as broken: ${text.slice(0, 80)}`);
  const { driver_id, first_name = null, last_name = null, email = null, alias = null } = record;
  return { kind, fleet_id, driver_id, revision, first_name, last_name, email, alias };
}
