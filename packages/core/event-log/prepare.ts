import { hash } from 'node:crypto';
import type { DeadLetterReason, ParsedRecord, RecordWarning } from '@milepost/domain/records';
import { tripId } from '@milepost/domain/trip-id';
import type { DriverProfile, PipelineRecord, TripDeleted, TripProcessed } from '@milepost/domain/vocabulary';
import { encodeTrailPath } from '@milepost/trail-codec';
import { encodeTripEvents } from '@milepost/trip-event-codec';
import { mayNameMore, type NamesIn, namesIn } from './names-in.ts';

/**
 * A storable record that does not have a position yet. Records with the same `subject` are revisions of the same trip
 * or profile.
 */
export interface StoredEventDraft {
  subject: string;
  /** The hash of all stored content, as 32 hex digits. Equal hashes mean equal content. */
  contentHash: string;
  record: TripHeader | TripDeleted | DriverProfile;
  /** Null for all records except processed trips. */
  body: TripBody | null;
  /** The warnings about the record, if any. */
  warnings?: readonly RecordWarning[];
}

/** A trip without the two long lists. */
export type TripHeader = Omit<TripProcessed, 'events' | 'trail_path'>;

/** A trip's two long lists, encoded. */
interface TripBody {
  trailPath: Uint8Array;
  /** Null when the trip has no trip events. */
  tripEvents: Uint8Array | null;
}

/** Why a record cannot be stored. */
export interface Refusal {
  reason: DeadLetterReason;
  field: string | null;
  message: string;
}

/**
 * `named` lists the ids in the bytes. For a storable record, it is present only if the bytes contain more ids than the
 * fields.
 */
export type PreparedRecord =
  | { storable: true; draft: StoredEventDraft; named?: NamesIn }
  | { storable: false; refusal: Refusal; named: NamesIn };

/** Returns the fleet that a record is about; null unless the record has exactly one fleet id. */
export function fleetOf(prepared: PreparedRecord): string | null {
  if (prepared.storable) return prepared.draft.record.fleet_id;
  const { named } = prepared;
  if (named === 'unclear' || named.fleets === 'any') return null;
  return named.fleets.length === 1 ? (named.fleets[0] ?? null) : null;
}

/** One record from a source, checked and encoded. `raw` is kept in case the record becomes a dead letter. */
export interface IncomingRecord {
  offset: number;
  raw: Uint8Array | null;
  prepared: PreparedRecord;
  /** The broker's timestamp, in epoch milliseconds; a line in a file has none. */
  timestamp?: number | undefined;
  /** The trace to which the record belongs, from its header `traceparent` (https://www.w3.org/TR/trace-context/). */
  traceparent?: string | null;
  /** Why the record has been set aside in the log from which it is copied; null or absent when it has not been. */
  setAside?: string | null;
}

/** A record and its source. */
export interface SourceRecord extends IncomingRecord {
  sourceId: number;
}

const HASH_DIGITS = 32;

/**
 * Two records have the same content when the log would store the same data for both, regardless of how their JSON is
 * formatted. Trail paths and trip events are compared by their bytes, because their encoding depends only on the
 * values.
 */
function contentHash(record: StoredEventDraft['record'], body: TripBody | null): string {
  const json = JSON.stringify(record);
  if (body === null) return digest(json);
  const tripEvents = body.tripEvents ?? new Uint8Array();
  // The length shows where the trip events end. Without the length, different lists could have the same concatenation.
  return digest(Buffer.concat([Buffer.from(json + tripEvents.byteLength), tripEvents, body.trailPath]));
}

function digest(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex').slice(0, HASH_DIGITS);
}

/** Returns the subject of a driver's profiles, which is unambiguous, because fleet ids do not contain slashes. */
export function profileSubject(fleetId: string, driverId: string): string {
  return `${fleetId}/${driverId}`;
}

/** Prepares a checked trip for the log. `trailPath` is the encoded path, so `trip.trail_path` is ignored. */
export function prepareTrip(trip: TripProcessed, trailPath: Uint8Array): StoredEventDraft {
  const { events, trail_path: _, ...record } = trip;
  const body = { trailPath, tripEvents: events.length === 0 ? null : encodeTripEvents(events) };
  const subject = tripId(trip.fleet_id, trip.source_trip_id);
  return { subject, contentHash: contentHash(record, body), record, body };
}

function toDraft(record: PipelineRecord): StoredEventDraft {
  if (record.kind === 'trip.processed') return prepareTrip(record, encodeTrailPath(record.trail_path));
  const subject =
    record.kind === 'trip.deleted'
      ? tripId(record.fleet_id, record.source_trip_id)
      : profileSubject(record.fleet_id, record.driver_id);
  return { subject, contentHash: contentHash(record, null), record, body: null };
}

/** Prepares a parsed record for the log: adds the subject and the content hash, and encodes the two long lists. */
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
 * Moves the bytes of all `records` into one new buffer, so that only one buffer is transferred to another thread.
 * Otherwise, the buffers would be copied, or transferred one by one.
 *
 * @returns the buffer; the records' bytes are now views of it
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
