import type { DriverProfile, EventSummary } from '@milepost/domain/vocabulary';
import { type CopyValue, copyText, type Transaction } from '@milepost/postgres';
import { STORED_EVENT_KINDS } from '../kinds.ts';
import type { StoredEventDraft, TripHeader } from '../prepare.ts';

/** A stored event to be, with its place in the log. */
export interface PlacedDraft {
  draft: StoredEventDraft;
  position: number;
  effective: boolean;
  supersedes: number | null;
  sourceId: number;
  sourceOffset: number;
}

interface Column {
  name: string;
  value: (placed: PlacedDraft) => CopyValue;
}

type TripColumn = Exclude<keyof TripHeader, 'event_summary'>;

const ofTrip = (name: TripColumn): Column => ({
  name,
  value: ({ draft: { content } }) => (content.kind === 'trip.processed' ? content.trip[name] : null),
});

const ofSummary = (name: keyof EventSummary): Column => ({
  name,
  value: ({ draft: { content } }) => (content.kind === 'trip.processed' ? content.trip.event_summary[name] : null),
});

const ofProfile = (name: keyof DriverProfile): Column => ({
  name,
  value: ({ draft: { content } }) => (content.kind === 'driver.profile' ? content.profile[name] : null),
});

/** The record's own fields, whichever kind it is. */
function recordOf({ content }: StoredEventDraft) {
  if (content.kind === 'trip.processed') return content.trip;
  return content.kind === 'trip.deleted' ? content.deletion : content.profile;
}

const COLUMNS: Column[] = [
  { name: 'source_id', value: (placed) => placed.sourceId },
  { name: 'position', value: (placed) => placed.position },
  { name: 'source_offset', value: (placed) => placed.sourceOffset },
  { name: 'revision', value: ({ draft }) => draft.revision },
  { name: 'supersedes', value: (placed) => placed.supersedes },
  { name: 'effective', value: (placed) => placed.effective },
  { name: 'content_hash', value: ({ draft }) => `\\x${draft.contentHash}` },
  { name: 'kind', value: ({ draft }) => STORED_EVENT_KINDS[draft.content.kind] },
  { name: 'fleet_id', value: ({ draft }) => recordOf(draft).fleet_id },
  {
    name: 'driver_id',
    value: ({ draft }) => {
      const record = recordOf(draft);
      return record.kind === 'trip.deleted' ? null : record.driver_id;
    },
  },
  {
    name: 'source_trip_id',
    value: ({ draft }) => {
      const record = recordOf(draft);
      return record.kind === 'driver.profile' ? null : record.source_trip_id;
    },
  },
  {
    name: 'trip_id',
    value: ({ draft: { content } }) => (content.kind === 'driver.profile' ? null : content.tripId),
  },
  ofTrip('tracking_id'),
  ofTrip('insurance_period'),
  ofTrip('trip_start_time'),
  ofTrip('trip_end_time'),
  ofTrip('start_latitude'),
  ofTrip('start_longitude'),
  ofTrip('end_latitude'),
  ofTrip('end_longitude'),
  ofTrip('duration_seconds'),
  ofTrip('distance_miles'),
  ofTrip('night_driving_seconds'),
  ofTrip('highway_miles'),
  ofTrip('night_driving_miles'),
  ofSummary('phone_use_count'),
  ofSummary('rapid_acceleration_count'),
  ofSummary('hard_brake_count'),
  ofSummary('overspeeding_count'),
  ofSummary('phone_use_time_seconds'),
  ofSummary('overspeeding_time_seconds'),
  ofProfile('first_name'),
  ofProfile('last_name'),
  ofProfile('email'),
  ofProfile('alias'),
];

const TARGET = `log.stored_event (stored_at, ${COLUMNS.map((column) => column.name).join(', ')})`;

/**
 * Adds stored events to the log by one COPY, which costs half of an INSERT of as many arrays (docs/adr/0012).
 *
 * @param storedAt the time of the transaction, as PostgreSQL spells it
 */
export async function insertStoredEvents(
  transaction: Transaction,
  storedAt: string,
  drafts: readonly PlacedDraft[],
): Promise<void> {
  if (drafts.length === 0) return;
  const columns = [() => storedAt, ...COLUMNS.map((column) => column.value)];
  await transaction.copy(TARGET, copyText(drafts, columns));
}
