import { decodeObject, isUncheckedObject, MAX_ARCHIVED_BYTES, type UncheckedObject } from './decode.ts';
import { explain } from './explain.ts';
import { fault, type ParsedRecord, shown } from './fault.ts';
import { driverProfile, tripDeleted } from './schema.ts';
import { deriveEventSummary, readTripProcessed } from './trip-processed.ts';
import { recordWarnings } from './warnings.ts';

function readDriverProfile(value: UncheckedObject): ParsedRecord {
  if (!driverProfile.Check(value)) return explain(driverProfile.Type(), value, '');
  const { kind, fleet_id, driver_id, revision, first_name, last_name, email, alias } = value;
  return {
    ok: true,
    record: {
      kind,
      fleet_id,
      driver_id,
      revision,
      first_name: first_name ?? null,
      last_name: last_name ?? null,
      email: email ?? null,
      alias: alias ?? null,
    },
  };
}

function readTripDeleted(value: UncheckedObject): ParsedRecord {
  if (!tripDeleted.Check(value)) return explain(tripDeleted.Type(), value, '');
  const { kind, fleet_id, source_trip_id, revision } = value;
  return { ok: true, record: { kind, fleet_id, source_trip_id, revision } };
}

const KINDS = '"trip.processed", "trip.deleted" or "driver.profile"';

/**
 * Parses and validates the bytes of one record. The result omits unknown fields, has a value for each optional field,
 * and keeps every number unchanged. The function never throws, but returns a fault with the first broken rule and its
 * field. Legal but unusual values cause warnings. Whether a trip starts too far in the future depends on `now` (epoch
 * milliseconds).
 */
export function parseRecord(value: Uint8Array | null, now: number): ParsedRecord {
  const decoded = decodeObject(value);
  return decoded.ok ? parseObject(decoded.object, now) : decoded;
}

function parseObject(object: UncheckedObject, now: number): ParsedRecord {
  const parsed = readObject(object, now);
  if (!parsed.ok) return parsed;
  const warnings = recordWarnings(object, parsed.record);
  return warnings.length === 0 ? parsed : { ...parsed, warnings };
}

function readObject(object: UncheckedObject, now: number): ParsedRecord {
  switch (object['kind']) {
    case 'trip.processed':
      return readTripProcessed(object, now);
    case 'trip.deleted':
      return readTripDeleted(object);
    case 'driver.profile':
      return readDriverProfile(object);
    case undefined:
      return fault('missing_field', '/kind', `The field /kind is missing; it must be ${KINDS}.`);
    default:
      return fault('unknown_kind', '/kind', `The field /kind must be ${KINDS}, but is ${shown(object['kind'])}.`);
  }
}

/**
 * Parses an archive line, which is a record whose field `milepost` gives the record's place in the log. The line may be
 * longer than other records, because an archive writes every field. For a trip event that ends before it starts, an
 * earlier release derived a negative number of seconds, which the rules for a summary do not allow. A trip with such a
 * summary is accepted only when the earlier release would have derived the same summary from its trip events.
 */
export function parseArchivedRecord(value: Uint8Array | null, now: number): ParsedRecord {
  const decoded = decodeObject(value, MAX_ARCHIVED_BYTES);
  if (!decoded.ok || !isUncheckedObject(decoded.object['milepost'])) return parseRecord(value, now);
  const parsed = parseObject(decoded.object, now);
  if (parsed.ok || !parsed.field?.startsWith('/event_summary/')) return parsed;
  const { event_summary: stored, ...others } = decoded.object;
  const derived = readTripProcessed(others, now);
  if (!derived.ok || derived.record.kind !== 'trip.processed' || !isUncheckedObject(stored)) return parsed;
  const event_summary = deriveEventSummary(derived.record.events, Number.NEGATIVE_INFINITY);
  const isAsStored = Object.entries(event_summary).every(([name, figure]) => stored[name] === figure);
  return isAsStored ? { ok: true, record: { ...derived.record, event_summary } } : parsed;
}
