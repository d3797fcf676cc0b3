import type { InsurancePeriod } from '@milepost/domain/vocabulary';
import type { STORED_EVENT_KINDS } from '@milepost/event-log';
import type { Pool, Statement } from '@milepost/postgres';
import { IS_ERASED } from './erased.ts';

/** A batch ends at this many stored events, or with the one that brings its trails and trip events to so many bytes. */
const LARGEST_BATCH_EVENTS = 500;
const LARGEST_BATCH_BYTES = 4 * 1024 * 1024;

interface Place {
  position: number;
  /** UTC with microseconds: a Date would drop the last three digits. */
  stored_at: string;
  topic: string;
  partition: number;
  source_offset: number;
  effective: boolean;
  supersedes: number | null;
  erased: boolean;
  fleet_id: string;
  revision: number;
}

export interface TripProcessedRow extends Place {
  kind: (typeof STORED_EVENT_KINDS)['trip.processed'];
  source_trip_id: string;
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
  phone_use_count: number;
  rapid_acceleration_count: number;
  hard_brake_count: number;
  overspeeding_count: number;
  phone_use_time_seconds: number;
  overspeeding_time_seconds: number;
  /** Null only where the log has lost it. */
  trail_path: Buffer | null;
  trip_events: Buffer | null;
}

interface TripDeletedRow extends Place {
  kind: (typeof STORED_EVENT_KINDS)['trip.deleted'];
  source_trip_id: string;
}

interface DriverProfileRow extends Place {
  kind: (typeof STORED_EVENT_KINDS)['driver.profile'];
  driver_id: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  alias: string | null;
}

/** A stored event with everything that its record held. */
export type StoredEventRow = TripProcessedRow | TripDeletedRow | DriverProfileRow;

// Both tables are bounded: the planner does not carry a range over a join, and might read all bodies before it each time.
const READ_STORED_EVENTS: Statement = {
  name: 'archive-read-stored-events',
  text: `SELECT * FROM (
    SELECT event.position, to_char(event.stored_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS stored_at,
      source.topic, source.partition, event.source_offset, event.effective, event.supersedes, ${IS_ERASED} AS erased,
      event.kind, event.fleet_id, event.revision, event.source_trip_id, event.driver_id, event.tracking_id,
      event.insurance_period, event.trip_start_time, event.trip_end_time, event.duration_seconds, event.distance_miles,
      event.night_driving_seconds, event.highway_miles, event.night_driving_miles, event.start_latitude,
      event.start_longitude, event.end_latitude, event.end_longitude, event.phone_use_count,
      event.rapid_acceleration_count, event.hard_brake_count, event.overspeeding_count, event.phone_use_time_seconds,
      event.overspeeding_time_seconds, event.first_name, event.last_name, event.email, event.alias,
      body.trail_path, body.trip_events,
      sum(octet_length(body.trail_path) + coalesce(octet_length(body.trip_events), 0)) OVER (
        ORDER BY event.position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
    FROM log.stored_event event
    JOIN log.source source USING (source_id)
    LEFT JOIN log.trip_body body ON body.position = event.position
      AND body.position > $1 AND body.position <= least($1 + ${LARGEST_BATCH_EVENTS}, $2)
    WHERE event.position > $1 AND event.position <= least($1 + ${LARGEST_BATCH_EVENTS}, $2)
  ) batch
  WHERE coalesce(bytes_before, 0) < ${LARGEST_BATCH_BYTES} ORDER BY position`,
};

/** The next stored events in order, `after` exclusive to `through` inclusive: at least one, and at most 500. */
export async function readStoredEvents(pool: Pool, after: number, through: number): Promise<StoredEventRow[]> {
  const { rows } = await pool.query<StoredEventRow>({ ...READ_STORED_EVENTS, values: [after, through] });
  return rows;
}
