import { decodeObject } from './decode.ts';
import type { RecordFault } from './fault.ts';
import { parseRecord, tripProcessedFaults } from './parse.ts';
import { driverProfile, faultsOf, tripDeleted } from './schema.ts';

/** Yields all faults in a record that `parseRecord` refuses, beginning with the fault that `parseRecord` returns. */
export function* recordFaults(value: Uint8Array | null, now: number): Generator<RecordFault> {
  const decoded = decodeObject(value);
  const kind = decoded.ok ? decoded.object['kind'] : undefined;
  if (decoded.ok && kind === 'trip.processed') yield* tripProcessedFaults(decoded.object, now);
  else if (decoded.ok && kind === 'trip.deleted') yield* faultsOf(tripDeleted.Type(), decoded.object, '');
  else if (decoded.ok && kind === 'driver.profile') yield* faultsOf(driverProfile.Type(), decoded.object, '');
  else {
    const parsed = parseRecord(value, now);
    if (!parsed.ok) yield parsed;
  }
}
