import { dateOf } from '@milepost/domain/calendar';

type Fields = Readonly<Record<string, unknown>>;

/** What dead letters are looked for: those of a driver's day, of trips, or of both. */
export interface Subject {
  fleetId: string;
  sourceTripIds: ReadonlySet<string>;
  /** The driver, and the UTC day `YYYY-MM-DD` that a trip must be of; what has no readable day counts as well. */
  driverDay: { driverId: string; date: string } | null;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(raw: Buffer): Fields | null {
  try {
    const json: unknown = JSON.parse(raw.toString('utf8'));
    return isObject(json) ? json : null;
  } catch {
    return null;
  }
}

function dayOf(time: unknown): string | null {
  try {
    return typeof time === 'number' ? dateOf(time) : null;
  } catch {
    return null;
  }
}

/**
 * Whether a record that holds the subject's ids somewhere is about it: `parsed` when its own fields say so, `text` when it
 * cannot be read and so only its text speaks for it, null when its fields say otherwise.
 */
export function matchOf(raw: Buffer, { fleetId, sourceTripIds, driverDay }: Subject): 'parsed' | 'text' | null {
  const fields = fieldsOf(raw);
  if (fields === null) return 'text';
  if (fields['fleet_id'] !== fleetId) return null;
  const sourceTripId = fields['source_trip_id'];
  if (typeof sourceTripId === 'string' && sourceTripIds.has(sourceTripId)) return 'parsed';
  if (driverDay === null || fields['driver_id'] !== driverDay.driverId) return null;
  const day = dayOf(fields['trip_start_time']);
  return day === null || day === driverDay.date ? 'parsed' : null;
}
