/** The types of the pipeline's records, with the field names and shapes of the HTTP interface. */

/** A recorded position on a trip. `timestamp` is in epoch milliseconds, `course` in degrees clockwise from north. */
export interface TrailPoint {
  timestamp: number;
  latitude: number;
  longitude: number;
  course: number;
}

/** The maximum length of a trail path. */
export const MAX_TRAIL_POINTS = 50_000;

/** The names and codes of trip events. */
export const TRIP_EVENT_TYPES = { RAPID_ACCELERATION: 1, HARD_BRAKE: 2, PHONE_USE: 7, OVERSPEEDING: 9 } as const;

export type TripEventName = keyof typeof TRIP_EVENT_TYPES;
export type TripEventType = (typeof TRIP_EVENT_TYPES)[TripEventName];

/** The name of each type of trip event. */
export const TRIP_EVENT_NAMES: Readonly<Record<TripEventType, TripEventName>> = {
  1: 'RAPID_ACCELERATION',
  2: 'HARD_BRAKE',
  7: 'PHONE_USE',
  9: 'OVERSPEEDING',
};

export interface OverspeedingData {
  user_speed_mph: number;
  speed_limit_mph: number;
  max_user_speed_mph: number;
}

/** A driving event during a trip, such as hard braking, as opposed to a stored event in the event log. */
export interface TripEvent {
  event_type: TripEventType;
  event_name: TripEventName;
  event_start_timestamp: number;
  event_end_timestamp: number;
  event_start_latitude: number;
  event_start_longitude: number;
  event_end_latitude: number;
  event_end_longitude: number;
  event_data: OverspeedingData | Record<string, never>;
}

/** The fields of an event summary, in the order in which responses and the lines of archives list them. */
export const EVENT_SUMMARY_FIELDS = [
  'phone_use_count',
  'rapid_acceleration_count',
  'hard_brake_count',
  'overspeeding_count',
  'phone_use_time_seconds',
  'overspeeding_time_seconds',
] as const;

export type EventSummary = Record<(typeof EVENT_SUMMARY_FIELDS)[number], number>;

/** The trip figures that are summed for days and weeks, apart from the event summary. */
export const DRIVING_FIELDS = ['distance_miles', 'duration_seconds', 'night_driving_seconds', 'highway_miles'] as const;

/** All trip figures that are summed for days and weeks. */
export const SUMMED_FIELDS = [...DRIVING_FIELDS, ...EVENT_SUMMARY_FIELDS] as const;

export type InsurancePeriod = 1 | 2 | 3;

/** `trip.processed` describes a trip. A higher revision replaces it completely. */
export interface TripProcessed {
  kind: 'trip.processed';
  fleet_id: string;
  source_trip_id: string;
  revision: number;
  driver_id: string;
  tracking_id: string | null;
  insurance_period: InsurancePeriod | null;
  trip_start_time: number;
  trip_end_time: number;
  duration_seconds: number;
  distance_miles: number;
  night_driving_seconds: number;
  highway_miles: number;
  night_driving_miles: number;
  start_latitude: number;
  start_longitude: number;
  end_latitude: number;
  end_longitude: number;
  event_summary: EventSummary;
  events: TripEvent[];
  trail_path: TrailPoint[];
}

/** `trip.deleted` removes a trip from all responses until a higher revision restores it. */
export interface TripDeleted {
  kind: 'trip.deleted';
  fleet_id: string;
  source_trip_id: string;
  revision: number;
}

/** `driver.profile` gives a driver's names. */
export interface DriverProfile {
  kind: 'driver.profile';
  fleet_id: string;
  driver_id: string;
  revision: number;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  alias: string | null;
}

/** A validated record, without unknown fields and with a value for each optional field. */
export type PipelineRecord = TripProcessed | TripDeleted | DriverProfile;

/**
 * The codes in the column `kind` of stored events. The codes stand for the kinds of records and for an operator's
 * erasure of a driver.
 */
export const STORED_EVENT_KINDS = {
  'trip.processed': 1,
  'trip.deleted': 2,
  'driver.profile': 3,
  'driver.erased': 4,
} as const;

export const {
  'trip.processed': TRIP_PROCESSED,
  'trip.deleted': TRIP_DELETED,
  'driver.profile': DRIVER_PROFILE,
  'driver.erased': DRIVER_ERASED,
} = STORED_EVENT_KINDS;
