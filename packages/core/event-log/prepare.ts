import { hash } from 'node:crypto';
import {
  type FetchedRecord,
  MAX_RECORD_BYTES,
  type ParsedRecord,
  parseArchivedRecord,
  parseRecord,
  type RecordWarning,
  type Refusal,
  trailPathWarnings,
} from '@milepost/domain/records';
import { tripId } from '@milepost/domain/trip-id';
import type { DriverProfile, PipelineRecord, TripDeleted, TripProcessed } from '@milepost/domain/vocabulary';
import { encodeTrailPath } from '@milepost/trail-codec';
import { scanTrailPath, skipWhiteSpace } from '@milepost/trail-codec/scan';
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
  /** The trace to which the record belongs, from its header `traceparent`. */
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

/**
 * Prepares a checked trip for the log. `trailPath` is the encoded path, so `trip.trail_path` is ignored. Exported for
 * tests.
 */
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

/**
 * Prepares a parsed record for the log: adds the subject and the content hash, and encodes the two long lists. Exported
 * for tests.
 */
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

const TRAIL_PATH = Buffer.from('"trail_path"');
/** Every trip has these four members. If their names occur four times in total, each name therefore occurs once. */
const NAMES = /"(?:trail_path|fleet_id|driver_id|source_trip_id)"/g;
const [OPEN_ARRAY, COLON] = [0x5b, 0x3a] as const;

/**
 * Reads the bytes of one upstream record. Returns the record as the log stores it, or its refusal. The function is
 * pure. Reading is the most costly part of ingest, so it happens before any lock is taken.
 *
 * The trail path makes up nine tenths of a trip's bytes. If the path has the trackers' format, it is encoded directly
 * from these bytes, and only the rest of the record is parsed. Any other record is parsed as a whole. The result is the
 * same either way (see `readQuickly`).
 *
 * @param now epoch milliseconds; a trip that starts too long after this time is refused
 */
export function readRecord(raw: Uint8Array | null, now: number): PreparedRecord {
  return readQuickly(raw, now) ?? prepareRecord(parseRecord(raw, now), raw);
}

/**
 * Like `readRecord`, but for a line that may belong to an archive, so it also accepts records that only earlier rules
 * allowed.
 */
export function readArchivedRecord(raw: Uint8Array | null, now: number): PreparedRecord {
  return readQuickly(raw, now) ?? prepareRecord(parseArchivedRecord(raw, now), raw);
}

/**
 * Reads a fetched record, or finds the ids in the bytes of a record that was refused before.
 *
 * @param archived whether the record may be a line of an archive
 */
export function readFetched(
  { value, refusal }: Pick<FetchedRecord, 'value' | 'refusal'>,
  archived: boolean,
  now: number,
): PreparedRecord {
  if (refusal === undefined) return archived ? readArchivedRecord(value, now) : readRecord(value, now);
  // Compressed bytes do not show which drivers they name.
  const isUnclear = value !== null && refusal.reason !== 'record_too_large';
  return { storable: false, refusal, named: isUnclear ? 'unclear' : namesIn(value) };
}

/**
 * Reads a trip whose trail path can be scanned. Returns null when the path cannot be scanned or the record has any
 * fault, so that only one function reports faults.
 *
 * The result is the same as when the whole record is parsed. To prove this, let R be the record, and let Q be the
 * record with `[]` in place of the scanned array. The function parses and checks Q. If Q is not JSON, the function
 * returns null, so assume below that Q is JSON.
 *
 * First, R is JSON too. Outside the array there is no backslash, so each quote there begins or ends a string. If the
 * quote before the array's name ended an earlier string, the name would be outside all strings, and Q would not be
 * JSON. The name is therefore a complete string, and the array is its value. JSON stays JSON when one value is replaced
 * with another. R is also UTF-8 if Q is, because the array is ASCII.
 *
 * Second, R passes the check if Q does. They differ in one member, whose array contains valid trail points and is
 * within the limit. The check requires that the record itself has a member with this name. Outside the array, the name
 * occurs only once, and without a backslash it cannot be spelled differently. The scanned array is therefore in this
 * member, not in a nested object. All other rules are about other fields, except the size limit, which is checked here.
 * Exported for tests.
 */
export function readQuickly(raw: Uint8Array | null, now: number): PreparedRecord | null {
  if (raw === null || raw.byteLength > MAX_RECORD_BYTES) return null;
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const start = findTrailPath(bytes);
  const scanned = start < 0 ? null : scanTrailPath(bytes, start);
  if (scanned === null) return null;
  // Keeps the array's brackets but not their content.
  const rest = Buffer.concat([bytes.subarray(0, start + 1), bytes.subarray(scanned.end - 1)]);
  const text = rest.toString('latin1');
  if (text.includes('\\') || text.match(NAMES)?.length !== 4) return null;
  const parsed = parseRecord(rest, now);
  if (!parsed.ok || parsed.record.kind !== 'trip.processed') return null;
  const draft = prepareTrip(parsed.record, scanned.trailPath);
  const warnings = [...(parsed.warnings ?? []), ...(scanned.range ? trailPathWarnings(scanned.range) : [])];
  return { storable: true, draft: warnings.length === 0 ? draft : { ...draft, warnings } };
}

/** Returns the index of the opening bracket of the first array named "trail_path"; -1 when there is none. */
function findTrailPath(bytes: Buffer): number {
  const name = bytes.indexOf(TRAIL_PATH);
  if (name < 0) return -1;
  const colon = skipWhiteSpace(bytes, name + TRAIL_PATH.length);
  if (bytes[colon] !== COLON) return -1;
  const start = skipWhiteSpace(bytes, colon + 1);
  return bytes[start] === OPEN_ARRAY ? start : -1;
}
