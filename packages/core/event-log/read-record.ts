import { MAX_RECORD_BYTES, parseArchivedRecord, parseRecord, trailPathWarnings } from '@milepost/domain/records';
import { scanTrailPath } from '@milepost/trail-codec';
import { type PreparedRecord, prepareRecord, prepareTrip } from './prepare.ts';

const TRAIL_PATH = Buffer.from('"trail_path"');
/** Every trip has these four members, so if the names occur four times in total, each occurs once. */
const NAMES = /"(?:trail_path|fleet_id|driver_id|source_trip_id)"/g;
const [OPEN_ARRAY, COLON] = [0x5b, 0x3a] as const;
const WHITE_SPACE: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

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
 * Reads a trip whose trail path can be scanned. Returns null when the path cannot be scanned or the record has any
 * fault, so that only one function reports faults.
 *
 * The result is the same as when the whole record is parsed, for these reasons. Let R be the record, and Q the record
 * with `[]` in place of the scanned array. Outside the array there is no backslash, so each quote there begins or ends
 * a string.
 *
 * There are two cases. If the quoted name before the array is a complete string, the array is in the place of a value,
 * so if Q is JSON, R is JSON too, and vice versa. The same holds for UTF-8, because the array is ASCII. If the quote
 * before the name ends an earlier string, the name is outside all strings, so neither R nor Q is JSON.
 *
 * Q is parsed and checked, so it is JSON. R and Q differ in one member, whose array contains valid trail points and is
 * within the limit. This member belongs to the record itself, not to a nested object: the check refuses a record
 * without it, and its name occurs only once outside the array, where no backslash could hide a second one. All other
 * rules are about other fields, except the size limit, which is checked here. Exported for tests.
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

function skipWhiteSpace(bytes: Buffer, start: number): number {
  let at = start;
  while (WHITE_SPACE.includes(bytes[at] ?? 0)) at++;
  return at;
}
