import { parseArchivedRecord, parseRecord, RECORD_LIMIT_BYTES, trailPathWarnings } from '@milepost/domain/records';
import { scanTrailPath } from '@milepost/trail-codec';
import { mayNameMore } from './names-in.ts';
import { type PreparedRecord, prepareRecord, prepareTrip } from './prepare.ts';

const TRAIL_PATH = Buffer.from('"trail_path"');
const [OPEN_ARRAY, COLON, BACKSLASH] = [0x5b, 0x3a, 0x5c] as const;
const WHITE_SPACE: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

/**
 * The bytes of one upstream record as what the log stores, or why they cannot be stored. Pure and the costly part of
 * ingest, so it happens before any lock is taken.
 *
 * Nine tenths of a trip are its trail path. Where it is written as trackers write it, it goes from its bytes straight to
 * its encoded form, and only the rest is parsed; everything else is parsed as a whole. Which of the two cannot be told from
 * the answer (see `readQuickly`).
 *
 * @param now epoch milliseconds; decides what starts too far in the future
 */
export function readRecord(raw: Uint8Array | null, now: number): PreparedRecord {
  return readQuickly(raw, now) ?? prepareRecord(parseRecord(raw, now), raw);
}

/** As `readRecord`, of a line that may be one of an archive: what was stored by an earlier rule comes back as it was. */
export function readArchivedRecord(raw: Uint8Array | null, now: number): PreparedRecord {
  return readQuickly(raw, now) ?? prepareRecord(parseArchivedRecord(raw, now), raw);
}

/**
 * Reads a trip whose trail path can be scanned; null when that cannot be, or when anything is wrong with the record, so
 * that faults are found and told in one way only.
 *
 * Why the answer is the one that parsing the whole gives: R is the record, Q the same with `[]` in the place of the array
 * that was scanned. Outside of the array there is no backslash, so a quote always begins or ends a string there. The
 * quoted name before the array either is a string of its own, then the array stands where a value does, and R is JSON just
 * when Q is (both in UTF-8 or neither: the array is ASCII); or its first quote ends another string, then a bare word
 * follows and neither is JSON. Q is parsed and checked, so it is; the two differ in one member, whose array is one of valid
 * trail points and within the limit. That member is the record's own: the check demands that the record has one of that
 * name, and outside of the array the name stands only once, escaped spellings being excluded with the backslash. All other
 * rules look at other fields, and at the size, which is looked at here. Exported for tests.
 */
export function readQuickly(raw: Uint8Array | null, now: number): PreparedRecord | null {
  if (raw === null || raw.byteLength > RECORD_LIMIT_BYTES) return null;
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const start = findTrailPath(bytes);
  const scanned = start < 0 ? null : scanTrailPath(bytes, start);
  if (scanned === null) return null;
  // The array's own brackets, without what is between them.
  const before = bytes.subarray(0, start + 1);
  const after = bytes.subarray(scanned.end - 1);
  if (after.includes(TRAIL_PATH) || before.includes(BACKSLASH) || after.includes(BACKSLASH)) return null;
  const rest = Buffer.concat([before, after]);
  const parsed = mayNameMore(rest, 'trip.processed') ? null : parseRecord(rest, now);
  if (!parsed?.ok || parsed.record.kind !== 'trip.processed') return null;
  const draft = prepareTrip(parsed.record, scanned.trailPath);
  const warnings = [...(parsed.warnings ?? []), ...(scanned.range ? trailPathWarnings(scanned.range) : [])];
  return { storable: true, draft: warnings.length === 0 ? draft : { ...draft, warnings } };
}

/** The index of the opening bracket of the first array that is named "trail_path"; -1 when there is none. */
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
