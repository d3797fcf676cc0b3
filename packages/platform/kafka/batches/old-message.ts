import { crc32 } from 'node:zlib';
import kafkajs from 'kafkajs';
import { type FetchedMessage, type Room, restOf, takeRoom } from './fetched-message.ts';
import { CODECS } from './unpack.ts';

/** The positions of the fields in a message, in bytes. Only version 1 has a timestamp. */
const AT = { offset: 0, checksum: 12, magicByte: 16, codec: 17, timestamp: 18 } as const;
/** The shortest message: its header, with neither key nor value. */
export const OLD_HEADER_BYTES = 26;
const CODEC_MASK = 0x07;

const CAUSE =
  'Its format is older than Kafka 0.11, and ingest does not read it. Publish the records again with a client for Kafka 0.11 or later.';

/**
 * Refuses a message in the format that Kafka used before version 0.11, with all messages that it contains.
 *
 * @param message all of its bytes, including offset and size
 * @param room the remaining limits, which are reduced
 * @throws NoRoomError
 * @throws Error when the message does not match its checksum
 */
export function refuseOldMessage(message: Buffer, room: Room): FetchedMessage[] {
  const offset = Number(message.readBigInt64BE(AT.offset));
  // A newer batch with a damaged version looks like an old message.
  if (crc32(message.subarray(AT.magicByte)) !== message.readUInt32BE(AT.checksum)) {
    throw new kafkajs.KafkaJSNonRetriableError(`The message at offset ${offset} does not match its checksum.`);
  }
  takeRoom(room, 0);
  const magicByte = message.readInt8(AT.magicByte);
  const codec = CODECS[message.readInt8(AT.codec) & CODEC_MASK] ?? 'uncompressed';
  return restOf(
    { codec, packed: message, firstOffset: offset, lastOffset: offset },
    { reason: 'batch_unreadable', from: offset, records: null, cause: CAUSE },
    {
      magicByte,
      attributes: 0,
      timestamp: magicByte === 0 ? '-1' : String(message.readBigInt64BE(AT.timestamp)),
      headers: {},
      isControlRecord: false,
      batchContext: { producerId: '-1', inTransaction: false },
    },
  );
}
