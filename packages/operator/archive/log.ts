import { EVENT_SUMMARY_FIELDS } from '@milepost/domain/vocabulary';
import { columns, type RowOf, statement } from '@milepost/postgres';

/** A closed range of positions, which includes both ends. */
export interface ArchiveRange {
  from: number;
  through: number;
}

/**
 * SQL that is true for a stored event whose record has been erased. An archive does not contain a line for such an
 * event. The condition is also true for the stored event of an erasure, which has no record.
 */
const IS_ERASED = '(erased IS NOT NULL)';

/**
 * A batch ends after this many stored events, or as soon as their trail paths and trip events reach MAX_BATCH_BYTES in
 * total.
 */
const MAX_BATCH_EVENTS = 500;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** The columns of `stored_event` that are fields of a trip's record, in the order of an archive's lines. */
export const TRIP = {
  fleet_id: 'text',
  source_trip_id: 'text!',
  revision: 'number',
  driver_id: 'text!',
  tracking_id: 'text?',
  insurance_period: 'number?',
  ...columns('number!', 'trip_start_time', 'trip_end_time', 'duration_seconds', 'distance_miles'),
  ...columns('number!', 'night_driving_seconds', 'highway_miles', 'night_driving_miles'),
  ...columns('number!', 'start_latitude', 'start_longitude', 'end_latitude', 'end_longitude'),
} as const;
export const EVENT_SUMMARY = columns('number!', ...EVENT_SUMMARY_FIELDS);
/** The columns that are fields of a profile's record. */
export const PROFILE = {
  fleet_id: 'text',
  driver_id: 'text!',
  revision: 'number',
  ...columns('text?', 'first_name', 'last_name', 'email', 'alias'),
} as const;

/** A stored event with all fields of its record. Fields that do not exist for its kind are null. */
const STORED_EVENT = {
  ...TRIP,
  ...EVENT_SUMMARY,
  ...PROFILE,
  ...columns('number', 'position', 'partition', 'source_offset', 'kind'),
  topic: 'text',
  /** UTC with microseconds, as text because a Date would drop the last three digits. */
  stored_at: 'text',
  ...columns('boolean', 'effective', 'erased'),
  ...columns('number?', 'supersedes', 'bytes_before'),
  /** Null only when the log has lost the path. */
  trail_path: 'bytes?',
  trip_events: 'bytes?',
  traceparent: 'text?',
  /** Why the stored event was set aside; null if it was not. */
  set_aside: 'text?',
} as const;
export type StoredEventRow = RowOf<typeof STORED_EVENT>;

const RECORD_COLUMNS = Object.keys({ ...TRIP, ...EVENT_SUMMARY, ...PROFILE }).map((name) => `event.${name}`);

/**
 * SQL that reads the stored events selected by `events`, in order and with their bodies, until the bodies reach
 * MAX_BATCH_BYTES in total.
 *
 * @param bodies a condition that limits the positions of `body`; without it, the planner could read all bodies for each
 * batch
 */
const withBodies = (events: string, bodies: string) => `
  SELECT * FROM (
    SELECT event.position, to_char(event.stored_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS stored_at,
      source.topic, source.partition, event.source_offset, event.effective, event.supersedes, ${IS_ERASED} AS erased,
      event.kind, event.traceparent, ${RECORD_COLUMNS.join(', ')},
      aside.reason AS set_aside, body.trail_path, body.trip_events,
      sum(octet_length(body.trail_path) + coalesce(octet_length(body.trip_events), 0)) OVER (
        ORDER BY event.position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
    FROM (${events}) event
    JOIN log_source source USING (source_id)
    LEFT JOIN set_aside aside ON aside.position = event.position
    LEFT JOIN trip_body body ON body.position = event.position AND ${bodies}
  ) batch
  WHERE coalesce(bytes_before, 0) < ${MAX_BATCH_BYTES} ORDER BY position`;

const inRange = (name: string) => `${name}.position > $1 AND ${name}.position <= least($1 + ${MAX_BATCH_EVENTS}, $2)`;

/** Reads the next stored events in order, from `$1` (exclusive) to `$2` (inclusive). Returns 1 to 500 events. */
export const READ_STORED_EVENTS = statement('archive-read-stored-events', STORED_EVENT)`${withBodies(
  `SELECT * FROM stored_event stored WHERE ${inRange('stored')}`,
  inRange('body'),
)}`;

/**
 * Reads the next stored events of the fleet `$3` in order, from `$1` (exclusive) to `$2` (inclusive). Returns at most
 * 500 events. The statement reads every stored event in the range, so the caller must limit the range.
 */
export const READ_EVENTS_OF_FLEET = statement('archive-read-events-of-fleet', STORED_EVENT)`${withBodies(
  `SELECT * FROM stored_event stored
   WHERE stored.position > $1 AND stored.position <= $2 AND stored.fleet_id = $3
   ORDER BY stored.position LIMIT ${MAX_BATCH_EVENTS}`,
  'body.position > $1 AND body.position <= $2',
)}`;

/** Reads the part of the stored events at these positions that is compared with the lines of an archive. */
export const READ_CONTENTS = statement('archive-read-contents', {
  position: 'number',
  content_hash: 'text',
  effective: 'boolean',
  supersedes: 'number?',
  erased: 'boolean',
})`
  SELECT position, encode(content_hash, 'hex') AS content_hash, effective, supersedes, ${IS_ERASED} AS erased
  FROM stored_event WHERE position = ANY ($1::bigint[])`;

/** Counts the stored events from `$1` to `$2` that have no record, and therefore no line in an archive. */
export const COUNT_ERASED = statement('archive-count-erased', { erased: 'number' })`
  SELECT count(*) AS erased FROM stored_event WHERE position BETWEEN $1 AND $2 AND ${IS_ERASED}`;
