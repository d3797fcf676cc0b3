import { hash } from 'node:crypto';
import type { DeadLetterReason, ParsedRecord } from '@milepost/domain/records';
import { tripId } from '@milepost/domain/trip-id';
import type { DriverProfile, PipelineRecord, TripDeleted, TripProcessed } from '@milepost/domain/vocabulary';
import { encodeTrailPath } from '@milepost/trail-codec';
import { packTripEvents } from '@milepost/trip-event-codec';
import { mayNameMore, type NamesIn, namesIn } from './names-in.ts';

/** What a storable record becomes before it has a position. `subject` names the thing whose revisions form one chain. */
export interface StoredEventDraft {
  subject: string;
  revision: number;
  /** 32 hex digits over everything that is kept: equal hashes mean the same content. */
  contentHash: string;
  content: DraftContent;
}

/** A trip without the two long lists, which are kept encoded. */
export type TripHeader = Omit<TripProcessed, 'events' | 'trail_path'>;

export type DraftContent =
  | {
      kind: 'trip.processed';
      tripId: string;
      trip: TripHeader;
      trailPath: Uint8Array;
      tripEvents: Uint8Array | null;
    }
  | { kind: 'trip.deleted'; tripId: string; deletion: TripDeleted }
  | { kind: 'driver.profile'; profile: DriverProfile };

/** Why a record cannot be stored as it is. */
export interface Refusal {
  reason: DeadLetterReason;
  field: string | null;
  message: string;
}

/** `named` is whom the bytes name: of a record that is refused, or that names more than what is stored of it. */
export type PreparedRecord =
  | { storable: true; draft: StoredEventDraft; named?: NamesIn }
  | { storable: false; refusal: Refusal; named: NamesIn };

/** One record of a source, checked and encoded. `raw` is kept in case it becomes a dead letter. */
export interface IncomingRecord {
  offset: number;
  raw: Uint8Array | null;
  prepared: PreparedRecord;
  /** The broker's, in epoch milliseconds; a line of a file has none. */
  timestamp?: number | undefined;
}

/** A record and the source that brought it. */
export interface SourceRecord extends IncomingRecord {
  sourceId: number;
}

const HASH_DIGITS = 32;

function contentHash(json: string, trailPath: Uint8Array = new Uint8Array()): string {
  const content = trailPath.length === 0 ? json : Buffer.concat([Buffer.from(json), trailPath]);
  return hash('sha256', content, 'hex').slice(0, HASH_DIGITS);
}

/** The key under which a driver's profile revisions are found. Fleet ids contain no slash, so it is unambiguous. */
export function profileSubject(fleetId: string, driverId: string): string {
  return `${fleetId}/${driverId}`;
}

/** What the log stores of a checked trip whose trail path is encoded already; the trip's own is not looked at. */
export function prepareTrip(trip: TripProcessed, trailPath: Uint8Array): StoredEventDraft {
  const { events, trail_path: _, ...header } = trip;
  const tripEvents = events.length === 0 ? null : JSON.stringify(events);
  const id = tripId(trip.fleet_id, trip.source_trip_id);
  return {
    subject: id,
    revision: trip.revision,
    contentHash: contentHash(JSON.stringify(header) + (tripEvents ?? ''), trailPath),
    content: {
      kind: 'trip.processed',
      tripId: id,
      trip: header,
      trailPath,
      tripEvents: tripEvents === null ? null : packTripEvents(tripEvents),
    },
  };
}

function toDraft(record: PipelineRecord): StoredEventDraft {
  switch (record.kind) {
    case 'trip.processed':
      return prepareTrip(record, encodeTrailPath(record.trail_path));
    case 'trip.deleted': {
      const id = tripId(record.fleet_id, record.source_trip_id);
      return {
        subject: id,
        revision: record.revision,
        contentHash: contentHash(JSON.stringify(record)),
        content: { kind: record.kind, tripId: id, deletion: record },
      };
    }
    case 'driver.profile':
      return {
        subject: profileSubject(record.fleet_id, record.driver_id),
        revision: record.revision,
        contentHash: contentHash(JSON.stringify(record)),
        content: { kind: record.kind, profile: record },
      };
  }
}

/** Turns a parsed record into what the log stores: identity, content hash, compact trail. */
export function prepareRecord(parsed: ParsedRecord, raw: Uint8Array | null): PreparedRecord {
  if (!parsed.ok) {
    const { reason, field, message } = parsed;
    return { storable: false, refusal: { reason, field, message }, named: namesIn(raw) };
  }
  const draft = toDraft(parsed.record);
  return mayNameMore(raw, parsed.record.kind)
    ? { storable: true, draft, named: namesIn(raw) }
    : { storable: true, draft };
}
