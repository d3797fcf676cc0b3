import { type FetchedRecord, keptOf, refuseTooLong } from '@milepost/domain/records';
import { crc32c } from '@platformatic/wasm-utils';
import kafkajs from 'kafkajs';
import { BlockTooLargeError, ByteReader, CODECS, type Codec, unpack } from './unpack.ts';

/** The memory that a message needs in addition to its value, here and in the Kafka client. */
const MESSAGE_OVERHEAD_BYTES = 512;
/** The maximum size of a refused batch whose compressed records are kept. The broker's default maximum is 1 MiB. */
export const MAX_KEPT_PACKED_BYTES = 1024 * 1024 + 4096;

/** Headers longer than this maximum are skipped, so their `traceparent` is not kept. */
const MAX_HEADER_BYTES = 16 * 1024;
/** The name and the format of the header (https://www.w3.org/TR/trace-context/#traceparent-header). */
const TRACE_HEADER = 'traceparent';
/** Later versions of the header may append fields. */
const TRACE_FORM = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?=-|$)/;

/**
 * A record with the fields that the Kafka client requires. The client passes it on unchanged, and accepts a number as
 * its offset.
 */
export interface FetchedMessage extends FetchedRecord {
  timestamp: number;
  /** Null except for control records. */
  key: Buffer | null;
  isControlRecord: boolean;
  batchContext: { producerId: string; inTransaction: boolean };
}

/** Only `readBatch` and `refuseOldMessage` give offsets as numbers. The client itself decodes them as strings. */
function isFetched(message: object): message is FetchedMessage {
  return 'offset' in message && typeof message.offset === 'number';
}

/** Returns the client's messages as the records that the decoder has read. */
export function recordsOf(messages: readonly object[]): FetchedRecord[] {
  return messages.map((message) => {
    if (isFetched(message)) return message;
    throw new Error(
      'The Kafka client decoded these records itself: it was not patched before its first consumer, or the broker is older than Kafka 0.11.',
    );
  });
}

/** The remaining limits for the batches of one broker response. */
export interface RemainingLimits {
  /** The bytes for values and for each message's overhead. */
  messageBytes: number;
  /** The bytes to decompress, including bytes dropped immediately. This maximum limits how long decompression takes. */
  unpackedBytes: number;
}

/** The rest of the batch exceeds the remaining limits. */
export class NoRoomError extends Error {
  override name = 'NoRoomError';
}

/** A batch as a publisher sent it, for error messages. */
interface PackedBatch {
  codec: Codec;
  /** The compressed records. */
  packed: Buffer;
  firstOffset: number;
  lastOffset: number;
}

/** Subtracts a message's memory from the remaining limits. */
export function takeMemory(limits: RemainingLimits, valueBytes: number): void {
  limits.messageBytes -= valueBytes + MESSAGE_OVERHEAD_BYTES;
  if (limits.messageBytes < 0) throw new NoRoomError('The messages of one fetch exceed the memory limit.');
}

/** The bytes differ from those sent by the publisher, because a broker's disk or the network has damaged them. */
export function damaged(what: string): Error {
  // On this error, the client does not retry, but ingest reads the batch again with a new consumer.
  return new kafkajs.KafkaJSNonRetriableError(`The ${what} does not match its checksum.`);
}

function describe({ codec, packed, firstOffset, lastOffset }: PackedBatch): string {
  const bytes = codec === 'uncompressed' ? `${packed.length} uncompressed bytes` : `${packed.length} bytes of ${codec}`;
  return `a batch of offsets ${firstOffset} to ${lastOffset} in ${bytes}`;
}

/**
 * Reads a value of a known length. For a value that is too long to keep, it returns the beginning and a refusal.
 *
 * @throws NoRoomError
 */
async function takeValue(
  reader: ByteReader,
  length: number,
  batch: PackedBatch,
  limits: RemainingLimits,
): Promise<Pick<FetchedRecord, 'value' | 'refusal'>> {
  const kept = keptOf(Math.max(0, length));
  takeMemory(limits, kept);
  if (length < 0) return { value: null };
  const value = await reader.take(kept);
  if (kept === length) return { value };
  // The bytes are copied, because the whole chunk, which is larger, would otherwise stay in memory.
  return { value: Buffer.from(value), refusal: refuseTooLong(length, kept, ` It arrived in ${describe(batch)}.`) };
}

/**
 * Reads the headers at the end of a record and returns the `traceparent` among them.
 *
 * @param bytes the length of the headers, including the field with their number
 * @returns the `traceparent` header up to its flags; null when there is none or its format is invalid
 */
async function readTraceparent(reader: ByteReader, bytes: number): Promise<string | null> {
  // Most records have no headers, in which case the only byte is the number of headers.
  if (bytes <= 1 || bytes > MAX_HEADER_BYTES) return null;
  const headers = await reader.take(bytes);
  // Most headers contain no `traceparent` and need not be parsed.
  return headers.includes(TRACE_HEADER) ? await findTraceparent(headers).catch(() => null) : null;
}

/** Returns the `traceparent` in the headers. Rejects when the headers are malformed. */
async function findTraceparent(bytes: Buffer): Promise<string | null> {
  const reader = new ByteReader(unpack('uncompressed', bytes));
  for (let left = await reader.varint(); left > 0; left -= 1) {
    const name = await takeText(reader);
    const value = await takeText(reader);
    if (name === TRACE_HEADER) return TRACE_FORM.exec(value)?.[0] ?? null;
  }
  return null;
}

/** Reads a length and that many bytes. The length of a null string is negative. */
async function takeText(reader: ByteReader): Promise<string> {
  return (await reader.take(Math.max(0, await reader.varint()))).toString('latin1');
}

/** Says in one sentence why a batch cannot be decompressed although its checksum matches. */
function corruptCause({ codec }: PackedBatch, error: unknown): string {
  const { message = 'the codec fails' } = error instanceof Error ? error : {};
  const reason = message.endsWith('.') ? message : `${message}.`;
  return `It has not changed since it was published, but its ${codec} data is corrupt: ${reason}`;
}

/**
 * Returns one refused message, at the last offset, for the rest of a batch, regardless of the number of records. The
 * rest begins at offset `from` and has `records` records according to the batch. They are refused because of `error`.
 */
function restOf(
  batch: PackedBatch,
  { from, records, error }: { from: number; records: number; error: unknown },
  context: Omit<FetchedMessage, 'offset' | 'key' | 'value'>,
): FetchedMessage[] {
  const { lastOffset, packed } = batch;
  const isTooLarge = error instanceof NoRoomError || error instanceof BlockTooLargeError;
  const cause = isTooLarge ? error.message : corruptCause(batch, error);
  const isKept = packed.length <= MAX_KEPT_PACKED_BYTES;
  const kept = isKept ? 'The compressed records are kept.' : 'Its bytes are not kept.';
  const message = `${records} of its records, from offset ${from} on, cannot be read: ${cause} It is ${describe(batch)}. ${kept}`;
  const last: FetchedMessage = {
    ...context,
    offset: lastOffset,
    key: null,
    // The bytes are copied, because the broker's whole response would otherwise stay in memory.
    value: isKept ? Buffer.from(packed) : null,
    refusal: { reason: isTooLarge ? 'batch_too_large' : 'batch_unreadable', field: null, message },
  };
  if (from >= lastOffset) return [last];
  // The client drops this control record, but takes its offset as the beginning of the fetch.
  return [{ ...last, offset: from, value: null, isControlRecord: true }, last];
}

/** The positions of the fields in a batch's header, in bytes (https://kafka.apache.org/documentation/#recordbatch). */
const AT = {
  firstOffset: 0,
  checksum: 17,
  attributes: 21,
  lastOffsetDelta: 23,
  firstTimestamp: 27,
  maxTimestamp: 35,
  producerId: 43,
  records: 57,
} as const;
export const BATCH_HEADER_BYTES = 61;

const ATTRIBUTES = { codec: 0x07, appendTime: 0x08, transactional: 0x10, control: 0x20 } as const;
/** The length of a control record's key. */
const CONTROL_KEY_BYTES = 4;

/**
 * Compares a batch with its checksum and then reads its records one after another while decompressing it. A record that
 * is too long to keep becomes a refused message. If the batch exceeds the remaining limits, or cannot be decompressed
 * although its checksum matches, its remaining records are refused.
 *
 * @param batch all of its bytes, including the header
 * @param limits the remaining limits, which this call reduces
 * @param isWhole whether no other batch has reduced the limits yet
 * @throws NoRoomError when the batch exceeds limits that other batches have already reduced
 * @throws Error when a broker's disk or the network has damaged the batch
 */
export async function readBatch(batch: Buffer, limits: RemainingLimits, isWhole: boolean): Promise<FetchedMessage[]> {
  const firstOffset = Number(batch.readBigInt64BE(AT.firstOffset));
  const attributes = batch.readInt16BE(AT.attributes);
  const firstTimestamp = Number(batch.readBigInt64BE(AT.firstTimestamp));
  const maxTimestamp = Number(batch.readBigInt64BE(AT.maxTimestamp));
  const count = batch.readInt32BE(AT.records);
  const described: PackedBatch = {
    codec: CODECS[attributes & ATTRIBUTES.codec] ?? 'uncompressed',
    packed: batch.subarray(BATCH_HEADER_BYTES),
    firstOffset,
    lastOffset: firstOffset + batch.readInt32BE(AT.lastOffsetDelta),
  };
  if (crc32c(batch.subarray(AT.attributes)) !== batch.readUInt32BE(AT.checksum)) {
    throw damaged(`batch of offsets ${firstOffset} to ${described.lastOffset}`);
  }
  const common = {
    timestamp: maxTimestamp,
    headers: {},
    isControlRecord: (attributes & ATTRIBUTES.control) !== 0,
    batchContext: {
      producerId: String(batch.readBigInt64BE(AT.producerId)),
      inTransaction: (attributes & ATTRIBUTES.transactional) !== 0,
    },
  };
  const reader = new ByteReader(unpack(described.codec, described.packed));
  const messages: FetchedMessage[] = [];
  let next = firstOffset;
  try {
    while (messages.length < count) {
      const length = await reader.varint();
      const end = reader.at + length;
      await reader.skip(1);
      const timestampDelta = await reader.varint();
      const offset = firstOffset + (await reader.varint());
      const keyLength = await reader.varint();
      if (reader.at + Math.max(0, keyLength) > end)
        throw new Error(`The key at offset ${offset} is longer than its record.`);
      // The key may be the part that is too long.
      if (reader.at + keyLength > limits.unpackedBytes) throw new NoRoomError(tooMuch(end));
      // Keep only the keys of control records. Any other record might have the same key as an abort marker. The client
      // would take such a record for an abort marker, and would then return aborted records.
      const isKept = common.isControlRecord && keyLength === CONTROL_KEY_BYTES;
      const key = isKept ? await reader.take(keyLength) : null;
      if (!isKept) await reader.skip(Math.max(0, keyLength));
      const valueLength = await reader.varint();
      if (reader.at + Math.max(0, valueLength) > end)
        throw new Error(`The value at offset ${offset} is longer than its record.`);
      const { value, refusal } = await takeValue(reader, valueLength, described, limits);
      const traceparent = refusal === undefined ? await readTraceparent(reader, end - reader.at) : null;
      const timestamp = attributes & ATTRIBUTES.appendTime ? maxTimestamp : firstTimestamp + timestampDelta;
      const headers = traceparent === null ? common.headers : { traceparent };
      messages.push({ ...common, headers, offset, timestamp, key, value, refusal });
      next = offset + 1;
      if (messages.length === count) break;
      // The length tells where the next record starts. If that is beyond the limits, fail now, before everything up to
      // that point is decompressed.
      if (end > limits.unpackedBytes) throw new NoRoomError(tooMuch(end));
      await reader.skip(end - reader.at);
    }
    return messages;
  } catch (error) {
    if (error instanceof NoRoomError && !isWhole) throw error;
    return [...messages, ...restOf(described, { from: next, records: count - messages.length, error }, common)];
  } finally {
    limits.unpackedBytes -= reader.at;
    await reader.close();
  }
}

function tooMuch(bytes: number): string {
  return `Its unpacked size up to this offset is ${bytes} bytes, which exceeds the limit for a batch.`;
}
