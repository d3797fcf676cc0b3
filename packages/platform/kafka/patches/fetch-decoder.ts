import { crc32 } from 'node:zlib';
import {
  BATCH_HEADER_BYTES,
  damaged,
  type FetchedMessage,
  MAX_KEPT_PACKED_BYTES,
  NoRoomError,
  type RemainingLimits,
  readBatch,
  takeMemory,
} from '../batches/record-batch.ts';
import { SlowBatches } from './slow-batches.ts';

/**
 * The maximum memory for the messages in one broker response until they are handed over. The goal for the whole
 * process, including the queue, is 512 MiB.
 */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Decompressing a gigabyte takes up to a few seconds, which is less than the group's session timeout. */
const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024;

/**
 * The positions of the fields in the message format used before Kafka 0.11. Only version 1 has a timestamp. Later
 * batches begin with the same offset, length and magic byte.
 */
const AT = { offset: 0, length: 8, checksum: 12, magicByte: 16, timestamp: 18 } as const;
/** The length includes neither its own field nor the offset field. */
const LENGTH_END = 12;
/** The shortest message: its header, with neither key nor value. */
const OLD_HEADER_BYTES = 26;

/**
 * Refuses a message in the format used before Kafka 0.11, together with all messages inside it.
 *
 * @param message all of its bytes, including offset and size
 * @param limits the remaining limits, which this call reduces
 * @throws NoRoomError
 * @throws Error when the message does not match its checksum
 */
function refuseOldMessage(message: Buffer, limits: RemainingLimits): FetchedMessage {
  const offset = Number(message.readBigInt64BE(AT.offset));
  // A newer batch whose version is damaged looks like an old message.
  if (crc32(message.subarray(AT.magicByte)) !== message.readUInt32BE(AT.checksum)) {
    throw damaged(`message at offset ${offset}`);
  }
  takeMemory(limits, 0);
  const magicByte = message.readInt8(AT.magicByte);
  const cause = `The batch at offset ${offset} has a format older than Kafka 0.11, which ingest does not read.`;
  const remedy = 'Publish its records again with a client for Kafka 0.11 or later.';
  return {
    offset,
    timestamp: magicByte === 0 ? -1 : Number(message.readBigInt64BE(AT.timestamp)),
    key: null,
    value: message.length <= MAX_KEPT_PACKED_BYTES ? Buffer.from(message) : null,
    refusal: { reason: 'batch_unreadable', field: null, message: `${cause} ${remedy}` },
    isControlRecord: false,
    batchContext: { producerId: '-1', inTransaction: false },
  };
}

/** The Kafka client's reader for a response. All partitions of one response share one reader. */
export interface ResponseReader {
  readInt32(): number;
  canReadBytes(bytes: number): boolean;
  readBytes(bytes: number): Buffer;
}

/** Decodes the record sets of a response in place of the client's own module (README.md). */
export class FetchDecoder {
  readonly #limits: RemainingLimits;
  readonly #slow = new SlowBatches();
  /** The remaining limits for each response. */
  readonly #remaining = new WeakMap<ResponseReader, RemainingLimits>();

  constructor(limits: RemainingLimits = { messageBytes: MAX_MESSAGE_BYTES, unpackedBytes: MAX_UNPACKED_BYTES }) {
    this.#limits = limits;
  }

  /**
   * Reads the batches of the next partition. Batches that exceed the remaining limits are omitted, as if the broker had
   * not sent them, so the client fetches them again. The client shuffles the partitions of each fetch, so each partition
   * is sometimes the first, for which the limits are whole.
   */
  async decode(reader: ResponseReader): Promise<FetchedMessage[]> {
    const remaining = this.#remaining.get(reader) ?? { ...this.#limits };
    this.#remaining.set(reader, remaining);
    const size = reader.readInt32();
    if (size <= 0 || !reader.canReadBytes(size)) return [];
    return await this.#read(reader.readBytes(size), remaining);
  }

  async #read(records: Buffer, remaining: RemainingLimits): Promise<FetchedMessage[]> {
    const all: FetchedMessage[][] = [];
    for (let start = 0; records.length - start > AT.magicByte; ) {
      const end = start + LENGTH_END + records.readInt32BE(start + AT.length);
      // The broker may truncate the last batch.
      if (end > records.length) break;
      const isNew = records.readInt8(start + AT.magicByte) >= 2;
      if (end - start < (isNew ? BATCH_HEADER_BYTES : OLD_HEADER_BYTES)) {
        throw new Error(
          `According to its length field, a batch is ${end - start} bytes long, shorter than its header.`,
        );
      }
      const isWhole =
        remaining.messageBytes === this.#limits.messageBytes && remaining.unpackedBytes === this.#limits.unpackedBytes;
      const { messageBytes } = remaining;
      try {
        const batch = records.subarray(start, end);
        all.push(
          isNew
            ? await this.#slow.read(batch, remaining, async () => await readBatch(batch, remaining, isWhole))
            : [refuseOldMessage(batch, remaining)],
        );
      } catch (error) {
        if (!(error instanceof NoRoomError)) throw error;
        // This batch's messages are dropped, but the decompressed bytes still count, because decompression took time.
        remaining.messageBytes = messageBytes;
        break;
      }
      start = end;
    }
    return all.flat();
  }
}
