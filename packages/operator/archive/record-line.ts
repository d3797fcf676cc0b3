import { exactJson } from '@milepost/domain/exact-json';
import { STORED_EVENT_KINDS } from '@milepost/domain/vocabulary';
import { trailPathToJson } from '@milepost/trail-codec/json';
import { tripEventsToJson } from '@milepost/trip-event-codec/json';
import { type ArchiveRange, EVENT_SUMMARY, PROFILE, type StoredEventRow, TRIP } from './log.ts';

/** Returns a function that returns a row's values of these columns, in their order. */
function fieldsOf<Name extends keyof StoredEventRow>(columns: Readonly<Record<Name, unknown>>) {
  const isColumn = (name: string): name is Name => Object.hasOwn(columns, name);
  const names = Object.keys(columns).filter(isColumn);
  return (row: StoredEventRow): object => Object.fromEntries(names.map((name) => [name, row[name]]));
}

const tripFields = fieldsOf(TRIP);
const summaryFields = fieldsOf(EVENT_SUMMARY);
const profileFields = fieldsOf(PROFILE);

/**
 * Returns the JSON object of a record without its closing brace. Throws when the stored bytes are missing or damaged.
 */
function openRecord(row: StoredEventRow): string {
  switch (row.kind) {
    case STORED_EVENT_KINDS['trip.processed']: {
      const event_summary = summaryFields(row);
      const header = exactJson({ kind: 'trip.processed', ...tripFields(row), event_summary }).slice(0, -1);
      if (row.trail_path === null) throw new Error('its trail and trip events are missing');
      const events = row.trip_events === null ? '[]' : tripEventsToJson(row.trip_events);
      return `${header},"events":${events},"trail_path":${trailPathToJson(row.trail_path)}`;
    }
    case STORED_EVENT_KINDS['trip.deleted']: {
      const { fleet_id, source_trip_id, revision } = row;
      return JSON.stringify({ kind: 'trip.deleted', fleet_id, source_trip_id, revision }).slice(0, -1);
    }
    case STORED_EVENT_KINDS['driver.profile']:
      return JSON.stringify({ kind: 'driver.profile', ...profileFields(row) }).slice(0, -1);
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
