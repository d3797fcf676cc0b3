import { hash } from 'node:crypto';
import { exactJson } from '@milepost/domain/exact-json';
import type { DeadLetterReason, ParsedRecord, RecordWarning } from '@milepost/domain/records';
import { tripId } from '@milepost/domain/trip-id';
import type { DriverProfile, PipelineRecord, TripDeleted, TripProcessed } from '@milepost/domain/vocabulary';
import { encodeTrailPath, hashedTrailPath } from '@milepost/trail-codec';
import { packTripEvents } from '@milepost/trip-event-codec';
import { mayNameMore, type NamesIn, namesIn } from './names-in.ts';

/** What a storable record becomes before it has a position. `subject` names the thing whose revisions form one chain. */
export interface StoredEventDraft {
  subject: string;
  /** 32 hex digits over everything that is kept: equal hashes mean the same content. */
  contentHash: string;
  record: TripHeader | TripDeleted | DriverProfile;
  /** Null for all but a processed trip. */
  body: TripBody | null;
  /** What is odd in it, if anything is. */
  warnings?: readonly RecordWarning[];
}

/** A trip without the two long lists. */
export type TripHeader = Omit<TripProcessed, 'events' | 'trail_path'>;

/** The two long lists of a trip, encoded. */
interface TripBody {
  trailPath: Uint8Array;
  /** Null when there are none. */
  tripEvents: Uint8Array | null;
}

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
  // The bytes that releases before the third version of trail paths hashed, so that a record delivered again is known.
  const content = trailPath.length === 0 ? json : Buffer.concat([Buffer.from(json), hashedTrailPath(trailPath)]);
  return hash('sha256', content, 'hex').slice(0, HASH_DIGITS);
}

/** The key under which a driver's profile revisions are found. Fleet ids contain no slash, so it is unambiguous. */
export function profileSubject(fleetId: string, driverId: string): string {
  return `${fleetId}/${driverId}`;
}

/** What the log stores of a checked trip whose trail path is encoded already; the trip's own is not looked at. */
export function prepareTrip(trip: TripProcessed, trailPath: Uint8Array): StoredEventDraft {
  const { events, trail_path: _, ...record } = trip;
  const tripEvents = events.length === 0 ? null : JSON.stringify(events);
  return {
    subject: tripId(trip.fleet_id, trip.source_trip_id),
    contentHash: contentHash(JSON.stringify(record) + (tripEvents ?? ''), trailPath),
    record,
    body: { trailPath, tripEvents: tripEvents === null ? null : packTripEvents(exactJson(events)) },
  };
}

function toDraft(record: PipelineRecord): StoredEventDraft {
  if (record.kind === 'trip.processed') return prepareTrip(record, encodeTrailPath(record.trail_path));
  const subject =
    record.kind === 'trip.deleted'
      ? tripId(record.fleet_id, record.source_trip_id)
      : profileSubject(record.fleet_id, record.driver_id);
  return { subject, contentHash: contentHash(JSON.stringify(record)), record, body: null };
}

/** Turns a parsed record into what the log stores: identity, content hash, compact trail. */
export function prepareRecord(parsed: ParsedRecord, raw: Uint8Array | null): PreparedRecord {
  if (!parsed.ok) {
    const { reason, field, message } = parsed;
    return { storable: false, refusal: { reason, field, message }, named: namesIn(raw) };
  }
  const { warnings } = parsed;
  const draft = { ...toDraft(parsed.record), ...(warnings && { warnings }) };
  return mayNameMore(raw, parsed.record.kind)
    ? { storable: true, draft, named: namesIn(raw) }
    : { storable: true, draft };
}

/**
 * Moves the bytes of all `records` into one buffer, which is theirs alone: it can be handed to another thread, where a
 * buffer each would be copied or handed over one by one.
 *
 * @returns the buffer; the records are views of it from now on
 */
export function gatherBytes(records: readonly PreparedRecord[]): ArrayBuffer {
  const bodies = records.flatMap((record) => (record.storable ? (record.draft.body ?? []) : []));
  const length = bodies.reduce((sum, body) => sum + body.trailPath.byteLength + (body.tripEvents?.byteLength ?? 0), 0);
  const buffer = new ArrayBuffer(length);
  let at = 0;
  const moved = (bytes: Uint8Array) => {
    const view = new Uint8Array(buffer, at, bytes.byteLength);
    view.set(bytes);
    at += bytes.byteLength;
    return view;
  };
  for (const body of bodies) {
    body.trailPath = moved(body.trailPath);
    if (body.tripEvents !== null) body.tripEvents = moved(body.tripEvents);
  }
  return buffer;
}
