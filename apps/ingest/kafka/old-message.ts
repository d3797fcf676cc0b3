import { crc32 } from 'node:zlib';
import kafkajs from 'kafkajs';
import { ByteReader } from './byte-reader.ts';
import {
  corruptCause,
  type FetchedMessage,
  NoRoomError,
  type PackedBatch,
  type Room,
  refuse,
  restOf,
  takeValue,
} from './fetched-message.ts';
import { BlockTooLargeError, CODECS, unpack } from './unpack.ts';

const CODEC_MASK = 0x07;
const CHECKSUM_AT = 12;
const CHECKED_FROM = 16;

const COMMON = {
  attributes: 0,
  headers: {},
  isControlRecord: false,
  batchContext: { producerId: '-1', inTransaction: false },
} as const;

interface MessageHeader {
  offset: number;
  magicByte: number;
  codec: number;
  timestamp: number;
  valueLength: number;
}

async function readHeader(reader: ByteReader): Promise<MessageHeader> {
  const offset = Number(await reader.int64());
  await reader.skip(8);
  const magicByte = await reader.int8();
  const codec = (await reader.int8()) & CODEC_MASK;
  const timestamp = magicByte === 0 ? -1 : Number(await reader.int64());
  await reader.skip(Math.max(0, await reader.int32()));
  return { offset, magicByte, codec, timestamp, valueLength: await reader.int32() };
}

async function readOne(
  reader: ByteReader,
  { offset, magicByte, timestamp, valueLength }: MessageHeader,
  batch: PackedBatch,
  room: Room,
): Promise<FetchedMessage & { timestamp: string }> {
  const { value, refusal } = await takeValue(reader, valueLength, batch, room);
  const message = { ...COMMON, magicByte, offset: String(offset), timestamp: String(timestamp), key: null, value };
  if (refusal !== null) {
    await reader.skip(valueLength - (value?.length ?? 0));
    return refuse(message, refusal);
  }
  return message;
}

/**
 * Reads the messages inside a compressed message. From version 1 onward, their offsets are relative to the first of
 * them.
 */
async function readInner(
  outer: MessageHeader,
  packed: Buffer,
  batch: PackedBatch,
  room: Room,
): Promise<FetchedMessage[]> {
  const reader = new ByteReader(unpack(batch.codec, packed));
  const inner: FetchedMessage[] = [];
  try {
    while (await reader.hasMore()) {
      const header = await readHeader(reader);
      if (header.codec !== 0) throw new Error('A message within a compressed message is compressed');
      if (reader.at + header.valueLength > room.unpackedBytes) {
        throw new NoRoomError('Its unpacked size exceeds the limit for a message.');
      }
      inner.push(await readOne(reader, header, batch, room));
    }
  } finally {
    room.unpackedBytes -= reader.at;
    await reader.close();
  }
  const shift = outer.magicByte === 0 ? 0 : outer.offset - Number(inner.at(-1)?.offset ?? outer.offset);
  for (const message of inner) message.offset = String(Number(message.offset) + shift);
  return inner;
}

/**
 * Reads a message in the format that Kafka used before version 0.11. A compressed message contains other messages. If
 * these messages exceed the remaining limits, or cannot be unpacked although the checksum is right, one refused message
 * replaces all of them.
 *
 * @param message all of its bytes, including offset and size
 * @param room the remaining limits, which are reduced
 * @param isWhole whether the remaining limits are the full ones
 * @throws NoRoomError when the message exceeds the remaining limits and these are not the full ones
 * @throws Error when the message does not match its checksum
 */
export async function readOldMessage(message: Buffer, room: Room, isWhole: boolean): Promise<FetchedMessage[]> {
  const reader = new ByteReader(
    (async function* () {
      yield message;
    })(),
  );
  const header = await readHeader(reader);
  const { offset, magicByte, codec, timestamp, valueLength } = header;
  const batch = { codec: CODECS[codec] ?? 'uncompressed', firstOffset: offset, lastOffset: offset };
  if (codec === 0) return [await readOne(reader, header, { ...batch, packed: message }, room)];
  const packed = await reader.take(Math.max(0, valueLength));
  const described = { ...batch, packed };
  const refuseAll = (reason: 'batch_too_large' | 'batch_unreadable', cause: string) => {
    const context = { ...COMMON, magicByte, timestamp: String(timestamp) };
    return restOf(described, { reason, from: offset, records: null, cause }, context);
  };
  try {
    return await readInner(header, packed, described, room);
  } catch (error) {
    if (error instanceof NoRoomError && !isWhole) throw error;
    if (error instanceof NoRoomError || error instanceof BlockTooLargeError) {
      return refuseAll('batch_too_large', error.message);
    }
    if (crc32(message.subarray(CHECKED_FROM)) !== message.readUInt32BE(CHECKSUM_AT)) {
      throw new kafkajs.KafkaJSNonRetriableError(`The message at offset ${offset} does not match its checksum.`);
    }
    return refuseAll('batch_unreadable', corruptCause(described, error));
  }
}
