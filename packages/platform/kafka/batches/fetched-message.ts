import { MAX_RECORD_BYTES } from '@milepost/domain/records';
import { keptOf, type Refusal } from '@milepost/event-log';
import type { KafkaMessage } from 'kafkajs';
import { ByteReader } from './byte-reader.ts';
import type { Codec } from './unpack.ts';

/** The memory that a message takes in addition to its value, here and in the Kafka client. */
const MESSAGE_OVERHEAD_BYTES = 512;
/** The maximum size of a refused batch whose compressed records are kept. The broker's default maximum is 1 MiB. */
const MAX_KEPT_PACKED_BYTES = 1024 * 1024 + 4096;

/** Headers longer than this are not unpacked, so their `traceparent` is not kept. */
const MAX_HEADER_BYTES = 16 * 1024;
/** The name and the format of the header (https://www.w3.org/TR/trace-context/#traceparent-header). */
const TRACE_HEADER = 'traceparent';
/** Later versions of the header may append fields. */
const TRACE_FORM = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?=-|$)/;

/** The fields of a message that the Kafka client requires. The client passes the message on unchanged. */
export interface FetchedMessage {
  magicByte: number;
  attributes: number;
  offset: string;
  timestamp: string;
  key: Buffer | null;
  value: Buffer | null;
  /** Only `traceparent` is kept, because no other header is read. */
  headers: { traceparent?: string };
  isControlRecord: boolean;
  batchContext: { producerId: string; inTransaction: boolean };
}

/** The remaining limits for the batches of one broker response. */
export interface Room {
  /** The bytes for values, and for the overhead of each message. */
  messageBytes: number;
  /** The bytes to unpack, including bytes that are dropped at once. This limits how long unpacking takes. */
  unpackedBytes: number;
}

/** The rest of the batch exceeds the remaining limits. */
export class NoRoomError extends Error {
  override name = 'NoRoomError';
}

/** A batch as a publisher sent it, for error messages. */
export interface PackedBatch {
  codec: Codec;
  /** The compressed records. */
  packed: Buffer;
  firstOffset: number;
  lastOffset: number;
}

const refusals = new WeakMap<object, Refusal>();

/** Returns why a message must not be read as a record, if its value is not the published one. */
export function refusalOf(message: object): Refusal | undefined {
  return refusals.get(message);
}

/** Marks a message as refused. */
export function refuse(message: FetchedMessage, refusal: Refusal): FetchedMessage {
  refusals.set(message, refusal);
  return message;
}

function describe({ codec, packed, firstOffset, lastOffset }: PackedBatch): string {
  const bytes = codec === 'uncompressed' ? `${packed.length} uncompressed bytes` : `${packed.length} bytes of ${codec}`;
  return `a batch of offsets ${firstOffset} to ${lastOffset} in ${bytes}`;
}

/**
 * Subtracts a message's memory from the remaining limits.
 *
 * @throws NoRoomError
 */
export function takeRoom(room: Room, valueBytes: number): void {
  room.messageBytes -= valueBytes + MESSAGE_OVERHEAD_BYTES;
  if (room.messageBytes < 0) throw new NoRoomError('The messages of one fetch exceed the memory limit.');
}

/**
 * Reads a value of a known length. For a value that is too long to keep, it returns the beginning and a refusal.
 *
 * @throws NoRoomError
 */
export async function takeValue(
  reader: ByteReader,
  length: number,
  batch: PackedBatch,
  room: Room,
): Promise<{ value: Buffer | null; refusal: Refusal | null }> {
  const kept = keptOf(Math.max(0, length));
  takeRoom(room, kept);
  if (length < 0) return { value: null, refusal: null };
  const value = await reader.take(kept);
  if (kept === length) return { value, refusal: null };
  const size = `${length} bytes, but may have at most ${MAX_RECORD_BYTES}`;
  const message = `The record has ${size}. It arrived in ${describe(batch)}. Its first ${kept} bytes are kept.`;
  // The bytes are copied, because the whole chunk, which is larger, would otherwise stay in memory.
  return { value: Buffer.from(value), refusal: { reason: 'record_too_large', field: null, message } };
}

/**
 * Reads the headers at the end of a record and returns the `traceparent` among them.
 *
 * @param bytes the length of the headers, including the field with their number
 * @returns the `traceparent` header up to its flags; null when there is none, or when its format is invalid
 */
export async function readTraceparent(reader: ByteReader, bytes: number): Promise<string | null> {
  // Most records have no headers, so the only byte is their number.
  if (bytes <= 1 || bytes > MAX_HEADER_BYTES) return null;
  const headers = await reader.take(bytes);
  // Most headers contain no `traceparent` and need not be parsed.
  return headers.includes(TRACE_HEADER) ? await findTraceparent(headers).catch(() => null) : null;
}

/** Returns the `traceparent` in the headers. Rejects when the headers are malformed. */
async function findTraceparent(bytes: Buffer): Promise<string | null> {
  const reader = new ByteReader(chunksOf(bytes));
  for (let left = await reader.varint(); left > 0; left -= 1) {
    const name = await takeText(reader);
    const value = await takeText(reader);
    if (name === TRACE_HEADER) return TRACE_FORM.exec(value)?.[0] ?? null;
  }
  return null;
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Reads a length and that many bytes. The length of a null string is negative. */
async function takeText(reader: ByteReader): Promise<string> {
  return (await reader.take(Math.max(0, await reader.varint()))).toString('latin1');
}

/** Returns the `traceparent` of a fetched message; null when it has none. */
export function traceparentOf({ headers }: Pick<KafkaMessage, 'headers'>): string | null {
  const value = headers?.[TRACE_HEADER];
  return typeof value === 'string' ? value : null;
}

/** The refused part of a batch and the reason. */
export interface RefusedRest {
  reason: 'batch_too_large' | 'batch_unreadable';
  /** The first refused offset. All later offsets of the batch are refused too. */
  from: number;
  /** The number of refused records, as the batch states it; null when the batch does not. */
  records: number | null;
  cause: string;
}

/** Says in one sentence why a batch cannot be unpacked although its checksum is right. */
export function corruptCause({ codec }: PackedBatch, error: unknown): string {
  const { message = 'the codec fails' } = error instanceof Error ? error : {};
  const reason = message.endsWith('.') ? message : `${message}.`;
  return `It has not changed since it was published, but its ${codec} data is corrupt: ${reason}`;
}

/** Returns one refused message at the last offset for the rest of a batch, whatever the number of records. */
export function restOf(
  batch: PackedBatch,
  { reason, from, records, cause }: RefusedRest,
  context: Omit<FetchedMessage, 'offset' | 'key' | 'value'>,
): FetchedMessage[] {
  const { lastOffset, packed } = batch;
  const isKept = packed.length <= MAX_KEPT_PACKED_BYTES;
  const what = records === null ? 'Its records' : `${records} of its records`;
  const kept = isKept ? 'The compressed records are kept.' : 'Its bytes are not kept.';
  const message = `${what}, from offset ${from} on, cannot be read: ${cause} It is ${describe(batch)}. ${kept}`;
  const last: FetchedMessage = {
    ...context,
    offset: String(lastOffset),
    key: null,
    // The bytes are copied, because the broker's whole response would otherwise stay in memory.
    value: isKept ? Buffer.from(packed) : null,
  };
  refuse(last, { reason, field: null, message });
  if (from >= lastOffset) return [last];
  // The client drops control records, but uses their offset as the beginning of the fetch.
  return [{ ...last, offset: String(from), value: null, isControlRecord: true }, last];
}
