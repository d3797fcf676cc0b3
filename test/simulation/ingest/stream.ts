import { type IncomingRecord, readRecord } from '@milepost/event-log/prepare';

/** The time at which the records are read, in epoch milliseconds. */
const NOW = 1_736_900_000_000;

export type StreamRecord = ReturnType<typeof recordOf>;

function recordOf(text: string) {
  const raw = Buffer.from(text);
  return { raw, prepared: readRecord(raw, NOW) };
}

function profile(fleet_id: string, driver_id: string, revision: number, first_name: string): StreamRecord {
  return recordOf(JSON.stringify({ kind: 'driver.profile', fleet_id, driver_id, revision, first_name }));
}

/** The fleet that moves. Records that become dead letters would prevent a move, so they belong to the other fleet. */
export const MOVING = 'moving';
const STAYING = 'staying';
/** Each fleet's lane at the start. */
export const PLACES: ReadonlyMap<string, number> = new Map([
  [MOVING, 0],
  [STAYING, 1],
]);

/** Revisions that arrive in order, late, repeatedly or in conflict, and a value that is not a record. */
export const STREAM: readonly StreamRecord[] = [
  profile(MOVING, 'one', 2, 'A'),
  profile(STAYING, 'two', 1, 'B'),
  profile(MOVING, 'one', 1, 'C'),
  recordOf('{'),
  profile(MOVING, 'one', 2, 'A'),
  profile(STAYING, 'two', 1, 'other'),
  profile(MOVING, 'three', 1, 'D'),
];

/** The Kafka timestamp of an offset. */
export function timestampOf(offset: number): number {
  return NOW + offset;
}

/** Returns the prepared form of a record in the stream. */
export function preparedOf(raw: Uint8Array | null): IncomingRecord['prepared'] {
  const found = STREAM.find((record) => record.raw === raw);
  if (!found) throw new Error('The record is not in the stream.');
  return found.prepared;
}

/**
 * For each revision of a fleet that a log must store, returns a string with the hash of the revision's first content.
 */
export function revisionsOf(fleetId: string): string[] {
  const first = new Map<string, string>();
  for (const { prepared } of STREAM) {
    if (!prepared.storable || prepared.draft.record.fleet_id !== fleetId) continue;
    const { subject, record, contentHash } = prepared.draft;
    const key = `${subject} ${record.revision}`;
    if (!first.has(key)) first.set(key, `${key} ${contentHash}`);
  }
  return [...first.values()].sort();
}
