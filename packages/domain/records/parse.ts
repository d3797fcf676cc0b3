import { decodeObject } from './decode.ts';
import { readDriverProfile } from './driver-profile.ts';
import { fault, type ParsedRecord } from './parsed-record.ts';
import { shown } from './shown.ts';
import { readTripDeleted } from './trip-deleted.ts';
import { readTripProcessed } from './trip-processed.ts';

const KINDS = '"trip.processed", "trip.deleted" or "driver.profile"';

/**
 * Turns the bytes of one upstream record into a checked record: unknown fields gone, optional ones filled in, every
 * number as it came. Whatever the bytes, it answers and never throws; a fault says which rule was broken, and where.
 * `now` in epoch milliseconds decides what starts too far in the future.
 */
export function parseRecord(value: Uint8Array | null, now: number): ParsedRecord {
  const decoded = decodeObject(value);
  if (!decoded.ok) return decoded;
  const { object } = decoded;
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
