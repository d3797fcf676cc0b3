import type { UncheckedObject } from './decode.ts';
import { explain } from './explain.ts';
import type { ParsedRecord } from './parsed-record.ts';
import { tripDeleted } from './schema.ts';

export function readTripDeleted(value: UncheckedObject): ParsedRecord {
  if (!tripDeleted.Check(value)) return explain(tripDeleted.Type(), value, '');
  const { kind, fleet_id, source_trip_id, revision } = value;
  return { ok: true, record: { kind, fleet_id, source_trip_id, revision } };
}
