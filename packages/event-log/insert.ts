import { STORED_EVENT_KINDS } from '@milepost/domain/stored-event';
import {
  DRIVING_FIELDS,
  type DriverProfile,
  EVENT_SUMMARY_FIELDS,
  type EventSummary,
} from '@milepost/domain/vocabulary';
import { type CopyValue, copyBinary, copyText, packBytes, statement, type Transaction } from '@milepost/postgres';
import type { Refusal, StoredEventDraft, TripHeader } from './prepare.ts';

/** A stored event to be, with its place in the log. */
export interface PlacedDraft {
  draft: StoredEventDraft;
  position: number;
  effective: boolean;
  supersedes: number | null;
  sourceId: number;
  sourceOffset: number;
}

interface Column {
  name: string;
  value: (placed: PlacedDraft) => CopyValue;
}

type RecordField = Exclude<keyof TripHeader | keyof DriverProfile, 'kind' | 'event_summary'>;

/** A field of the record, null for the kinds that have none of that name. */
const ofRecord = (name: RecordField): Column => ({
  name,
  value({ draft }) {
    const record: { readonly [Name in RecordField]?: CopyValue } = draft.record;
    return record[name] ?? null;
  },
});

const ofSummary = (name: keyof EventSummary): Column => ({
  name,
  value: ({ draft: { record } }) => (record.kind === 'trip.processed' ? record.event_summary[name] : null),
});

const COLUMNS: Column[] = [
  { name: 'source_id', value: (placed) => placed.sourceId },
  { name: 'position', value: (placed) => placed.position },
  { name: 'source_offset', value: (placed) => placed.sourceOffset },
  ofRecord('revision'),
  { name: 'supersedes', value: (placed) => placed.supersedes },
  { name: 'effective', value: (placed) => placed.effective },
  { name: 'content_hash', value: ({ draft }) => `\\x${draft.contentHash}` },
  { name: 'kind', value: ({ draft }) => STORED_EVENT_KINDS[draft.record.kind] },
  ofRecord('fleet_id'),
  ofRecord('driver_id'),
  ofRecord('source_trip_id'),
  { name: 'trip_id', value: ({ draft }) => (draft.record.kind === 'driver.profile' ? null : draft.subject) },
  ofRecord('tracking_id'),
  ofRecord('insurance_period'),
  ofRecord('trip_start_time'),
  ofRecord('trip_end_time'),
  ofRecord('start_latitude'),
  ofRecord('start_longitude'),
  ofRecord('end_latitude'),
  ofRecord('end_longitude'),
  ofRecord('night_driving_miles'),
  ...DRIVING_FIELDS.map(ofRecord),
  ...EVENT_SUMMARY_FIELDS.map(ofSummary),
  ofRecord('first_name'),
  ofRecord('last_name'),
  ofRecord('email'),
  ofRecord('alias'),
];

const TARGET = `log.stored_event (stored_at, ${COLUMNS.map((column) => column.name).join(', ')})`;

/**
 * Adds stored events to the log by one COPY, which costs half of an INSERT of as many arrays (docs/adr/0012).
 *
 * @param storedAt the time of the transaction, as PostgreSQL spells it
 */
export async function insertStoredEvents(
  transaction: Transaction,
  storedAt: string,
  drafts: readonly PlacedDraft[],
): Promise<void> {
  if (drafts.length === 0) return;
  const columns = [() => storedAt, ...COLUMNS.map((column) => column.value)];
  await transaction.copy(TARGET, copyText(drafts, columns));
}

/** Adds the trails and trip events of the processed trips among `drafts`. */
export async function insertTripBodies(transaction: Transaction, drafts: readonly PlacedDraft[]): Promise<void> {
  const bodies = drafts.flatMap(({ draft: { body }, position }) =>
    body === null ? [] : [{ key: position, values: [body.trailPath, body.tripEvents] }],
  );
  if (bodies.length === 0) return;
  await transaction.copy('log.trip_body (position, trail_path, trip_events)', copyBinary(bodies));
}

/** A record whose content the stored event at `position` held already. */
export interface Duplicate {
  sourceId: number;
  sourceOffset: number;
  position: number;
}

const INSERT_DUPLICATES = statement('insert-duplicates')`
  INSERT INTO log.duplicate (received_at, source_id, source_offset, position)
  SELECT now(), duplicate.* FROM unnest($1::integer[], $2::bigint[], $3::bigint[]) AS duplicate`;

/** Notes which records brought nothing new, one statement for all of them and none where there are none. */
export async function insertDuplicates(transaction: Transaction, duplicates: readonly Duplicate[]): Promise<void> {
  if (duplicates.length === 0) return;
  await transaction.execute(INSERT_DUPLICATES, [
    duplicates.map((duplicate) => duplicate.sourceId),
    duplicates.map((duplicate) => duplicate.sourceOffset),
    duplicates.map((duplicate) => duplicate.position),
  ]);
}

export interface NewDeadLetter {
  sourceId: number;
  sourceOffset: number;
  refusal: Refusal;
  raw: Uint8Array | null;
}

/**
 * The raw bytes travel as one binary value, as trails do: an array of bytea would double them as hex. What is about an
 * erased driver is settled as it comes: there is nothing left in it that anybody could mend.
 */
const INSERT_DEAD_LETTERS = statement('insert-dead-letters')`
  INSERT INTO log.dead_letter (received_at, source_id, source_offset, reason, field, message, raw,
    resolution, resolved_at, note)
  SELECT now(), source_id, source_offset, reason, field, message, substring($1::bytea FROM start FOR length),
    CASE WHEN reason = 'driver_erased' THEN 'discarded' END, CASE WHEN reason = 'driver_erased' THEN now() END,
    CASE WHEN reason = 'driver_erased' THEN 'Refused, as the driver was erased.' END
  FROM unnest($2::integer[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::integer[])
    AS letter (source_id, source_offset, reason, field, message, start, length)`;

/** PostgreSQL's text holds neither NUL nor lone surrogates, and a message may quote either from the record. */
function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\\u0000');
}

/** Keeps refused records byte for byte, each with its reason. */
export async function insertDeadLetters(transaction: Transaction, letters: readonly NewDeadLetter[]): Promise<void> {
  if (letters.length === 0) return;
  const { bytes, starts, lengths } = packBytes(letters.map((letter) => letter.raw));
  await transaction.execute(INSERT_DEAD_LETTERS, [
    bytes,
    letters.map((letter) => letter.sourceId),
    letters.map((letter) => letter.sourceOffset),
    letters.map((letter) => letter.refusal.reason),
    letters.map((letter) => (letter.refusal.field === null ? null : storableText(letter.refusal.field))),
    letters.map((letter) => storableText(letter.refusal.message)),
    starts,
    lengths,
  ]);
}
