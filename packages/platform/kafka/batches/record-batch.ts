import { crc32 } from 'node:zlib';
import { crc32c } from '@platformatic/wasm-utils';
import kafkajs from 'kafkajs';
import { ByteReader } from './byte-reader.ts';
import {
  corruptCause,
  type FetchedMessage,
  NoRoomError,
  type PackedBatch,
  type RefusedRest,
  type Room,
  readTraceparent,
  refuse,
  restOf,
  takeRoom,
  takeValue,
} from './fetched-message.ts';
import { BlockTooLargeError, CODECS, unpack } from './unpack.ts';

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

/** The bytes differ from those that the publisher sent, because a broker's disk or the network has damaged them. */
function damaged({ firstOffset, lastOffset }: PackedBatch): Error {
  // The client does not retry, but a new consumer does.
  return new kafkajs.KafkaJSNonRetriableError(
    `The batch of offsets ${firstOffset} to ${lastOffset} does not match its checksum.`,
  );
}

/**
 * Reads the records of a batch one after another while unpacking it. A record that is too long to keep becomes a
 * refused message. When the batch exceeds the remaining limits, or cannot be unpacked although its checksum is right,
 * the rest of it is refused as well.
 *
 * @param batch all of its bytes, including the header
 * @param room the remaining limits, which this call reduces
 * @param isWhole whether the remaining limits are the full ones
 * @throws NoRoomError when the batch exceeds the remaining limits and these are not the full ones
 * @throws Error when the batch cannot be read and does not match its checksum
 */
export async function readBatch(batch: Buffer, room: Room, isWhole: boolean): Promise<FetchedMessage[]> {
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
  const common = {
    magicByte: 2,
    attributes: 0,
    timestamp: String(maxTimestamp),
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
  let read = 0;
  const refuseRest = (reason: RefusedRest['reason'], cause: string) => {
    const rest = { reason, from: next, records: count - read, cause };
    return [...messages, ...restOf(described, rest, common)];
  };
  try {
    while (read < count) {
      const length = await reader.varint();
      const end = reader.at + length;
      await reader.skip(1);
      const timestampDelta = await reader.varint();
      const offset = firstOffset + (await reader.varint());
      const keyLength = await reader.varint();
      if (reader.at + Math.max(0, keyLength) > end)
        throw new Error(`The key at offset ${offset} is longer than its record.`);
      // The key may be the part that is too long.
      if (reader.at + keyLength > room.unpackedBytes) throw new NoRoomError(tooMuch(end));
      // The client takes any record with the key of an abort marker for one, and would then return aborted records.
      const isKept = common.isControlRecord && keyLength === CONTROL_KEY_BYTES;
      const key = isKept ? await reader.take(keyLength) : null;
      if (!isKept) await reader.skip(Math.max(0, keyLength));
      const valueLength = await reader.varint();
      if (reader.at + Math.max(0, valueLength) > end)
        throw new Error(`The value at offset ${offset} is longer than its record.`);
      const { value, refusal } = await takeValue(reader, valueLength, described, room);
      const traceparent = refusal === null ? await readTraceparent(reader, end - reader.at) : null;
      const timestamp = attributes & ATTRIBUTES.appendTime ? maxTimestamp : firstTimestamp + timestampDelta;
      const headers = traceparent === null ? common.headers : { traceparent };
      const message = { ...common, headers, offset: String(offset), timestamp: String(timestamp), key, value };
      messages.push(refusal === null ? message : refuse(message, refusal));
      next = offset + 1;
      read += 1;
      if (read === count) break;
      // The length tells where the next record starts. If the start exceeds the limits, an early check avoids unpacking
      // everything before it.
      if (end > room.unpackedBytes) throw new NoRoomError(tooMuch(end));
      await reader.skip(end - reader.at);
    }
    return messages;
  } catch (error) {
    if (error instanceof NoRoomError) {
      if (!isWhole) throw error;
      return refuseRest('batch_too_large', error.message);
    }
    if (error instanceof BlockTooLargeError) return refuseRest('batch_too_large', error.message);
    if (crc32c(batch.subarray(AT.attributes)) !== batch.readUInt32BE(AT.checksum)) throw damaged(described);
    return refuseRest('batch_unreadable', corruptCause(described, error));
  } finally {
    room.unpackedBytes -= reader.at;
    await reader.close();
  }
}

function tooMuch(bytes: number): string {
  return `Its unpacked size up to this offset is ${bytes} bytes, which exceeds the limit for a batch.`;
}

/** The positions of the fields in a message of the format before Kafka 0.11. Only version 1 has a timestamp. */
const OLD_AT = { offset: 0, checksum: 12, magicByte: 16, codec: 17, timestamp: 18 } as const;
/** The shortest message: its header, with neither key nor value. */
export const OLD_HEADER_BYTES = 26;

const TOO_OLD =
  'Its format is older than Kafka 0.11, and ingest does not read it. Publish the records again with a client for Kafka 0.11 or later.';

/**
 * Refuses a message in the format that Kafka used before version 0.11, together with all messages inside it.
 *
 * @param message all of its bytes, including offset and size
 * @param room the remaining limits, which this call reduces
 * @throws NoRoomError
 * @throws Error when the message does not match its checksum
 */
export function refuseOldMessage(message: Buffer, room: Room): FetchedMessage[] {
  const offset = Number(message.readBigInt64BE(OLD_AT.offset));
  // A newer batch with a damaged version looks like an old message.
  if (crc32(message.subarray(OLD_AT.magicByte)) !== message.readUInt32BE(OLD_AT.checksum)) {
    throw new kafkajs.KafkaJSNonRetriableError(`The message at offset ${offset} does not match its checksum.`);
  }
  takeRoom(room, 0);
  const magicByte = message.readInt8(OLD_AT.magicByte);
  const codec = CODECS[message.readInt8(OLD_AT.codec) & ATTRIBUTES.codec] ?? 'uncompressed';
  return restOf(
    { codec, packed: message, firstOffset: offset, lastOffset: offset },
    { reason: 'batch_unreadable', from: offset, records: null, cause: TOO_OLD },
    {
      magicByte,
      attributes: 0,
      timestamp: magicByte === 0 ? '-1' : String(message.readBigInt64BE(OLD_AT.timestamp)),
      headers: {},
      isControlRecord: false,
      batchContext: { producerId: '-1', inTransaction: false },
    },
  );
}
