import { tripId } from '@milepost/domain/trip-id';
import type { Transaction } from '@milepost/postgres';
import type { PreparedRecord, Refusal, StoredEventDraft } from './prepare.ts';
import { findErased, type RecordSubject } from './sql/find-erased.ts';
import type { SourceRecord } from './store-records.ts';

const REFUSAL: Refusal = {
  reason: 'driver_erased',
  field: null,
  message: 'The record is about a driver who was erased; nothing of it is kept.',
};

function subjectOfDraft({ content }: StoredEventDraft): RecordSubject {
  switch (content.kind) {
    case 'trip.processed':
      return { fleetId: content.trip.fleet_id, driverId: content.trip.driver_id, tripId: content.tripId };
    case 'trip.deleted':
      return { fleetId: content.deletion.fleet_id, driverId: null, tripId: content.tripId };
    case 'driver.profile':
      return { fleetId: content.profile.fleet_id, driverId: content.profile.driver_id, tripId: null };
  }
}

/** PostgreSQL's text holds no U+0000 and no half characters; no id of a stored event has any. A number is a spelling of one. */
function idOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value : null;
}

/** What a record that breaks a rule says all the same of whom it is about; null when it cannot be read. */
function subjectOfBytes(raw: Uint8Array | null): RecordSubject | null {
  try {
    const fields: Record<string, unknown> = JSON.parse(Buffer.from(raw ?? []).toString('utf8'));
    const [fleetId, sourceTripId] = [idOf(fields['fleet_id']), idOf(fields['source_trip_id'])];
    if (fleetId === null) return null;
    return {
      fleetId,
      driverId: idOf(fields['driver_id']),
      tripId: sourceTripId === null ? null : tripId(fleetId, sourceTripId),
    };
  } catch {
    return null;
  }
}

function subjectOf(prepared: PreparedRecord, raw: Uint8Array | null): RecordSubject | null {
  return prepared.storable ? subjectOfDraft(prepared.draft) : subjectOfBytes(raw);
}

/**
 * Refuses, without their bytes, the records about drivers who were erased or about a trip of theirs; all others are
 * passed on as they are. Must run under the lock on the head, or an erasure could come between this and the storing.
 */
export async function refuseErased(
  transaction: Transaction,
  records: readonly SourceRecord[],
): Promise<SourceRecord[]> {
  const subjects = records.map(({ prepared, raw }) => subjectOf(prepared, raw));
  const erased = await findErased(
    transaction,
    subjects.map((subject) => subject ?? { fleetId: '', driverId: null, tripId: null }),
  );
  return records.map((record, index) =>
    erased.has(index) ? { ...record, raw: null, prepared: { storable: false, refusal: REFUSAL } } : record,
  );
}
