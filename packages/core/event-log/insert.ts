import type { Refusal } from '@milepost/domain/records';
import {
  DRIVING_FIELDS,
  type DriverProfile,
  EVENT_SUMMARY_FIELDS,
  type EventSummary,
  STORED_EVENT_KINDS,
} from '@milepost/domain/vocabulary';
import { columns, statement, type Transaction } from '@milepost/postgres';
import { type CopyValue, copyBinary, copyText } from '@milepost/postgres/copy-rows';
import { packBytes } from '@milepost/postgres/packed-bytes';
import { DEAD_LETTER_CHUNK_BYTES, insertChunks } from './dead-letter-bytes.ts';
import type { NamesIn } from './names-in.ts';
import type { SourceRecord, StoredEventDraft, TripHeader } from './prepare.ts';

/** A draft with its record and its place in the log. */
export interface PlacedDraft<Kept extends SourceRecord = SourceRecord> {
  record: Kept;
  draft: StoredEventDraft;
  position: number;
  effective: boolean;
  supersedes: number | null;
}

type Column = [name: string, value: (placed: PlacedDraft) => CopyValue];

type RecordField = Exclude<keyof TripHeader | keyof DriverProfile, 'kind' | 'event_summary'>;

/** Copies fields of the record, and writes null for kinds of records without a field. */
const ofRecord = (...names: RecordField[]) =>
  names.map(
    (name): Column => [
      name,
      ({ draft }) => {
        const record: { readonly [Name in RecordField]?: CopyValue } = draft.record;
        return record[name] ?? null;
      },
    ],
  );

const ofSummary = (name: keyof EventSummary): Column => [
  name,
  ({ draft: { record } }) => (record.kind === 'trip.processed' ? record.event_summary[name] : null),
];

const COLUMNS: Column[] = [
  ['source_id', ({ record }) => record.sourceId],
  ['position', (placed) => placed.position],
  ['source_offset', ({ record }) => record.offset],
  ['traceparent', ({ record }) => record.traceparent ?? null],
  ['supersedes', (placed) => placed.supersedes],
  ['effective', (placed) => placed.effective],
  ['content_hash', ({ draft }) => `\\x${draft.contentHash}`],
  ['kind', ({ draft }) => STORED_EVENT_KINDS[draft.record.kind]],
  ['trip_id', ({ draft }) => (draft.record.kind === 'driver.profile' ? null : draft.subject)],
  ...ofRecord('revision', 'fleet_id', 'driver_id', 'source_trip_id', 'tracking_id', 'insurance_period'),
  ...ofRecord('trip_start_time', 'trip_end_time', 'start_latitude', 'start_longitude', 'end_latitude', 'end_longitude'),
  ...ofRecord('night_driving_miles', ...DRIVING_FIELDS),
  ...EVENT_SUMMARY_FIELDS.map(ofSummary),
  ...ofRecord('first_name', 'last_name', 'email', 'alias'),
];

const TARGET = `stored_event (stored_at, ${COLUMNS.map(([name]) => name).join(', ')})`;

/**
 * Inserts stored events with one COPY, because an INSERT from arrays costs twice as much.
 *
 * @param storedAt the transaction's time in PostgreSQL's text format
 */
export async function insertStoredEvents(
  transaction: Transaction,
  storedAt: string,
  drafts: readonly PlacedDraft[],
): Promise<void> {
  if (drafts.length === 0) return;
  const columns = [() => storedAt, ...COLUMNS.map(([, value]) => value)];
  await transaction.copy(TARGET, copyText(drafts, columns));
}

/** Inserts the trail paths and trip events of the processed trips among `drafts`. */
export async function insertTripBodies(transaction: Transaction, drafts: readonly PlacedDraft[]): Promise<void> {
  const bodies = drafts.flatMap(({ draft: { body }, position }) =>
    body === null ? [] : [{ key: position, values: [body.trailPath, body.tripEvents] }],
  );
  if (bodies.length === 0) return;
  await transaction.copy('trip_body (position, trail_path, trip_events)', copyBinary(bodies));
}

const INSERT_SET_ASIDE = statement('insert-set-aside')`
  INSERT INTO set_aside (position, reason) SELECT * FROM unnest($1::bigint[], $2::text[]) AS aside`;

/** Sets aside those `drafts` that were set aside in the log from which they are copied. */
export async function insertSetAside(transaction: Transaction, drafts: readonly PlacedDraft[]): Promise<void> {
  const aside = drafts.filter(({ record }) => (record.setAside ?? null) !== null);
  if (aside.length === 0) return;
  const values = [aside.map(({ position }) => position), aside.map(({ record }) => record.setAside)];
  await transaction.execute(INSERT_SET_ASIDE, values);
}

/** A duplicate record. The stored event at `position` has the same content. */
export interface Duplicate<Kept extends SourceRecord = SourceRecord> {
  record: Kept;
  position: number;
}

const INSERT_DUPLICATES = statement('insert-duplicates')`
  INSERT INTO duplicate_record (received_at, source_id, source_offset, position)
  SELECT now(), duplicate.* FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS duplicate`;

/** Inserts the duplicates, if there are any, with one statement. */
export async function insertDuplicates(transaction: Transaction, duplicates: readonly Duplicate[]): Promise<void> {
  if (duplicates.length === 0) return;
  await transaction.execute(INSERT_DUPLICATES, [
    duplicates.map(({ record }) => record.sourceId),
    duplicates.map(({ record }) => record.offset),
    duplicates.map(({ position }) => position),
  ]);
}

export interface NewDeadLetter<Kept extends SourceRecord = SourceRecord> {
  record: Kept;
  refusal: Refusal;
  /** The ids in the bytes. */
  named: NamesIn;
}

/**
 * The raw bytes of all letters are sent as one binary value, because an array of bytea would be sent as hex, at twice
 * the size. Nested arrays must have equal lengths, so the fleets and names of each letter are sent as the text of an
 * array. A letter about an erased driver has no content that an operator could correct, so it is settled immediately.
 */
const INSERT_DEAD_LETTERS = statement('insert-dead-letters', columns('number', 'id', 'source_id', 'source_offset'))`
  INSERT INTO dead_letter (received_at, source_id, source_offset, reason, field, message, raw, rest_bytes, fleets, names,
    resolution, resolved_at, note)
  SELECT now(), source_id, source_offset, reason, field, message, substring($1::bytea FROM start FOR length), rest_bytes,
    fleets::text[], names::bigint[],
    CASE WHEN reason = 'driver_erased' THEN 'discarded' END, CASE WHEN reason = 'driver_erased' THEN now() END,
    CASE WHEN reason = 'driver_erased' THEN 'Refused because the driver was erased.' END
  FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::integer[], $9::bigint[],
    $10::text[], $11::text[])
    AS letter (source_id, source_offset, reason, field, message, start, length, rest_bytes, fleets, names)
  RETURNING dead_letter_id AS id, source_id, source_offset`;

/** A message may quote NUL or lone surrogates from the record, which PostgreSQL cannot store as text. */
function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\\u0000');
}

/** Fleet ids and hashes do not need escaping. */
const arrayText = (items: readonly string[]) => `{${items.map((item) => `"${item}"`).join(',')}}`;

function fleetsText({ record: { raw }, named }: NewDeadLetter): string | null {
  return raw === null || named === 'unclear' || named.fleets === 'any' ? null : arrayText(named.fleets);
}

function namesText({ record: { raw }, named }: NewDeadLetter): string | null {
  return raw === null || named === 'unclear' ? null : arrayText(named.hashes);
}

/** Stores refused records byte for byte, each with the reason for its refusal and the ids in its bytes. */
export async function insertDeadLetters(
  transaction: Transaction,
  deadLetters: readonly NewDeadLetter[],
): Promise<void> {
  if (deadLetters.length === 0) return;
  const { bytes, starts, lengths } = packBytes(
    deadLetters.map(({ record }) => record.raw?.subarray(0, DEAD_LETTER_CHUNK_BYTES) ?? null),
  );
  const inserted = await transaction.rows(INSERT_DEAD_LETTERS, [
    bytes,
    deadLetters.map(({ record }) => record.sourceId),
    deadLetters.map(({ record }) => record.offset),
    deadLetters.map(({ refusal }) => refusal.reason),
    deadLetters.map(({ refusal }) => (refusal.field === null ? null : storableText(refusal.field))),
    deadLetters.map(({ refusal }) => storableText(refusal.message)),
    starts,
    lengths,
    deadLetters.map(({ record }) => Math.max(0, (record.raw?.byteLength ?? 0) - DEAD_LETTER_CHUNK_BYTES)),
    deadLetters.map(fleetsText),
    deadLetters.map(namesText),
  ]);
  for (const { record } of deadLetters) {
    const { sourceId, offset, raw } = record;
    if (raw === null || raw.byteLength <= DEAD_LETTER_CHUNK_BYTES) continue;
    const row = inserted.find(({ source_id, source_offset }) => source_id === sourceId && source_offset === offset);
    if (!row) throw new Error(`The dead letter for offset ${offset} was not stored.`);
    await insertChunks(transaction, row.id, raw);
  }
}

const COUNT_WARNINGS = statement('count-warnings')`
  INSERT INTO source_warning AS known (source_id, reason, field, records)
  SELECT source_id, reason, field, count(*)
  FROM unnest($1::bigint[], $2::text[], $3::text[]) AS warning (source_id, reason, field) GROUP BY 1, 2, 3
  ON CONFLICT (source_id, reason, field) DO UPDATE SET records = known.records + excluded.records`;

/**
 * Counts the warnings about stored events, ignoring the names of unknown fields. Does nothing if there are no warnings.
 */
export async function countWarnings(transaction: Transaction, placed: readonly PlacedDraft[]): Promise<void> {
  const counted: { sourceId: number; reason: string; field: string }[] = [];
  for (const { draft, record } of placed) {
    if (draft.warnings === undefined) continue;
    // A record counts only once for each reason and field, even if the field contains several unknown names.
    const own = new Map(draft.warnings.map((warning) => [`${warning.reason} ${warning.field}`, warning]));
    for (const { reason, field } of own.values()) counted.push({ sourceId: record.sourceId, reason, field });
  }
  if (counted.length === 0) return;
  await transaction.execute(COUNT_WARNINGS, [
    counted.map(({ sourceId }) => sourceId),
    counted.map(({ reason }) => reason),
    counted.map(({ field }) => field),
  ]);
}
