import { exactJson } from '@milepost/domain/exact-json';
import { EVENT_SUMMARY_FIELDS, STORED_EVENT_KINDS } from '@milepost/domain/vocabulary';
import { trailPathToJson } from '@milepost/trail-codec/json';
import { tripEventsToJson } from '@milepost/trip-event-codec/json';
import type { ArchiveRange, StoredEventRow } from './log.ts';

function tripHeader(row: StoredEventRow) {
  return {
    kind: 'trip.processed',
    fleet_id: row.fleet_id,
    source_trip_id: row.source_trip_id,
    revision: row.revision,
    driver_id: row.driver_id,
    tracking_id: row.tracking_id,
    insurance_period: row.insurance_period,
    trip_start_time: row.trip_start_time,
    trip_end_time: row.trip_end_time,
    duration_seconds: row.duration_seconds,
    distance_miles: row.distance_miles,
    night_driving_seconds: row.night_driving_seconds,
    highway_miles: row.highway_miles,
    night_driving_miles: row.night_driving_miles,
    start_latitude: row.start_latitude,
    start_longitude: row.start_longitude,
    end_latitude: row.end_latitude,
    end_longitude: row.end_longitude,
    event_summary: Object.fromEntries(EVENT_SUMMARY_FIELDS.map((name) => [name, row[name]])),
  };
}

/**
 * Returns the JSON object of a record without its closing brace. Throws when the stored bytes are missing or damaged.
 */
function openRecord(row: StoredEventRow): string {
  const { fleet_id, revision } = row;
  switch (row.kind) {
    case STORED_EVENT_KINDS['trip.processed']: {
      const events = row.trip_events === null ? '[]' : tripEventsToJson(row.trip_events);
      const header = exactJson(tripHeader(row)).slice(0, -1);
      if (row.trail_path === null) throw new Error('its trail and trip events are missing');
      return `${header},"events":${events},"trail_path":${trailPathToJson(row.trail_path)}`;
    }
    case STORED_EVENT_KINDS['trip.deleted']: {
      const { source_trip_id } = row;
      return JSON.stringify({ kind: 'trip.deleted', fleet_id, source_trip_id, revision }).slice(0, -1);
    }
    case STORED_EVENT_KINDS['driver.profile']: {
      const { driver_id, first_name, last_name, email, alias } = row;
      const profile = { kind: 'driver.profile', fleet_id, driver_id, revision, first_name, last_name, email, alias };
      return JSON.stringify(profile).slice(0, -1);
    }
    default:
      throw new Error('no record is of this kind');
  }
}

function readRecord(row: StoredEventRow): string {
  try {
    return openRecord(row);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(`The stored event at position ${row.position} cannot be archived: ${cause}.`, { cause: error });
  }
}

/**
 * Returns a stored event as a pipeline record. The last field, which ingest ignores, gives the event's place in the
 * log. Throws when the stored bytes are damaged.
 */
export function recordLine(row: StoredEventRow, range: ArchiveRange): string {
  const { position, stored_at, topic, partition, source_offset: offset, effective, supersedes, set_aside } = row;
  const mark = set_aside === null ? {} : { set_aside };
  const milepost = { position, stored_at, topic, partition, offset, effective, supersedes, ...mark, ...range };
  return `${readRecord(row)},"milepost":${JSON.stringify(milepost)}}`;
}
