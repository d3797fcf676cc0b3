import { crc32 } from 'node:zlib';
import { damaged, type FetchedMessage, MAX_KEPT_PACKED_BYTES, type Room, refuse, takeRoom } from './record-batch.ts';

/** The positions of the fields in the message format used before Kafka 0.11. Only version 1 has a timestamp. */
const AT = { offset: 0, checksum: 12, magicByte: 16, timestamp: 18 } as const;
/** The shortest message: its header, with neither key nor value. */
export const OLD_HEADER_BYTES = 26;

/**
 * Refuses a message in the format used before Kafka 0.11, together with all messages inside it.
 *
 * @param message all of its bytes, including offset and size
 * @param room the remaining limits, which this call reduces
 * @throws NoRoomError
 * @throws Error when the message does not match its checksum
 */
export function refuseOldMessage(message: Buffer, room: Room): FetchedMessage[] {
  const offset = Number(message.readBigInt64BE(AT.offset));
  // A newer batch whose version is damaged looks like an old message.
  if (crc32(message.subarray(AT.magicByte)) !== message.readUInt32BE(AT.checksum)) {
    throw damaged(`message at offset ${offset}`);
  }
  takeRoom(room, 0);
  const magicByte = message.readInt8(AT.magicByte);
  const refused: FetchedMessage = {
    magicByte,
    attributes: 0,
    offset: String(offset),
    timestamp: magicByte === 0 ? '-1' : String(message.readBigInt64BE(AT.timestamp)),
    key: null,
    value: message.length <= MAX_KEPT_PACKED_BYTES ? Buffer.from(message) : null,
    headers: {},
    isControlRecord: false,
    batchContext: { producerId: '-1', inTransaction: false },
  };
  const cause = `The batch at offset ${offset} has a format older than Kafka 0.11, which ingest does not read.`;
  const remedy = 'Publish its records again with a client for Kafka 0.11 or later.';
  return [refuse(refused, { reason: 'batch_unreadable', field: null, message: `${cause} ${remedy}` })];
}
