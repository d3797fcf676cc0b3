import type { DriverProfile, EventSummary, TripProcessed } from '@milepost/domain/vocabulary';
import type { Statement, Transaction } from '@milepost/postgres';
import { STORED_EVENT_KINDS } from '../kinds.ts';
import type { StoredEventDraft } from '../prepare.ts';

/** A stored event to be, with its place in the log. */
export interface PlacedDraft {
  draft: StoredEventDraft;
  position: number;
  effective: boolean;
  supersedes: number | null;
  sourceOffset: number;
}

interface Column {
  name: string;
  type: string;
  value: (placed: PlacedDraft) => unknown;
}

const ofTrip = (name: keyof TripProcessed, type: string): Column => ({
  name,
  type,
  value: ({ draft: { content } }) => (content.kind === 'trip.processed' ? content.trip[name] : null),
});

const ofSummary = (name: keyof EventSummary, type: string): Column => ({
  name,
  type,
  value: ({ draft: { content } }) => (content.kind === 'trip.processed' ? content.trip.event_summary[name] : null),
});

const ofProfile = (name: keyof DriverProfile, type: string): Column => ({
  name,
  type,
  value: ({ draft: { content } }) => (content.kind === 'driver.profile' ? content.profile[name] : null),
});

/** The record's own fields, whichever kind it is. */
function recordOf({ content }: StoredEventDraft) {
  if (content.kind === 'trip.processed') return content.trip;
  return content.kind === 'trip.deleted' ? content.deletion : content.profile;
}

const COLUMNS: Column[] = [
  { name: 'position', type: 'bigint', value: (placed) => placed.position },
  { name: 'source_offset', type: 'bigint', value: (placed) => placed.sourceOffset },
  { name: 'revision', type: 'bigint', value: ({ draft }) => draft.revision },
  { name: 'supersedes', type: 'bigint', value: (placed) => placed.supersedes },
  { name: 'effective', type: 'boolean', value: (placed) => placed.effective },
  { name: 'content_hash', type: 'bytea', value: ({ draft }) => draft.contentHash },
  { name: 'kind', type: 'smallint', value: ({ draft }) => STORED_EVENT_KINDS[draft.content.kind] },
  { name: 'fleet_id', type: 'text', value: ({ draft }) => recordOf(draft).fleet_id },
  {
    name: 'driver_id',
    type: 'text',
    value: ({ draft }) => {
      const record = recordOf(draft);
      return record.kind === 'trip.deleted' ? null : record.driver_id;
    },
  },
  {
    name: 'source_trip_id',
    type: 'text',
    value: ({ draft }) => {
      const record = recordOf(draft);
      return record.kind === 'driver.profile' ? null : record.source_trip_id;
    },
  },
  {
    name: 'trip_id',
    type: 'uuid',
    value: ({ draft: { content } }) => (content.kind === 'driver.profile' ? null : content.tripId),
  },
  ofTrip('tracking_id', 'text'),
  ofTrip('insurance_period', 'smallint'),
  ofTrip('trip_start_time', 'bigint'),
  ofTrip('trip_end_time', 'bigint'),
  ofTrip('start_latitude', 'float8'),
  ofTrip('start_longitude', 'float8'),
  ofTrip('end_latitude', 'float8'),
  ofTrip('end_longitude', 'float8'),
  ofTrip('duration_seconds', 'numeric'),
  ofTrip('distance_miles', 'numeric'),
  ofTrip('night_driving_seconds', 'numeric'),
  ofTrip('highway_miles', 'numeric'),
  ofTrip('night_driving_miles', 'numeric'),
  ofSummary('phone_use_count', 'bigint'),
  ofSummary('rapid_acceleration_count', 'bigint'),
  ofSummary('hard_brake_count', 'bigint'),
  ofSummary('overspeeding_count', 'bigint'),
  ofSummary('phone_use_time_seconds', 'numeric'),
  ofSummary('overspeeding_time_seconds', 'numeric'),
  ofProfile('first_name', 'text'),
  ofProfile('last_name', 'text'),
  ofProfile('email', 'text'),
  ofProfile('alias', 'text'),
];

const INSERT_STORED_EVENTS: Statement = {
  name: 'insert-stored-events',
  text: `INSERT INTO log.stored_event (source_id, stored_at, ${COLUMNS.map((column) => column.name).join(', ')})
         SELECT $1, now(), draft.* FROM unnest(${COLUMNS.map((column, index) => `$${index + 2}::${column.type}[]`).join(', ')}) AS draft`,
};

/** Adds stored events to the log, one statement for all of them. */
export async function insertStoredEvents(
  transaction: Transaction,
  sourceId: number,
  drafts: readonly PlacedDraft[],
): Promise<void> {
  if (drafts.length === 0) return;
  await transaction.execute(INSERT_STORED_EVENTS, [sourceId, ...COLUMNS.map((column) => drafts.map(column.value))]);
}
