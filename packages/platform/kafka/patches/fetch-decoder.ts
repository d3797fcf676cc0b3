import { type FetchedMessage, NoRoomError, type Room } from '../batches/fetched-message.ts';
import { BATCH_HEADER_BYTES, OLD_HEADER_BYTES, readBatch, refuseOldMessage } from '../batches/record-batch.ts';
import { SlowBatches } from '../batches/slow-batches.ts';

/**
 * The maximum memory for the messages of one broker response until they are handed over. With the queue and the
 * process, the total stays below 512 MiB.
 */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Unpacking a gigabyte takes up to a few seconds, which is less than the group's session timeout. */
const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024;

/** The position of the length field. The length includes neither this field nor the offset field. */
const LENGTH_AT = 8;
const LENGTH_END = 12;
const MAGIC_AT = 16;

/** The Kafka client's reader of a response. All partitions of one response share one reader. */
export interface ResponseReader {
  readInt32(): number;
  canReadBytes(bytes: number): boolean;
  readBytes(bytes: number): Buffer;
}

/** The state of a response while its partitions are decoded in order. */
interface Response {
  room: Room;
  /** Partitions before this one are decoded from the next response. */
  start: number;
  partitions: number;
}

/** Decodes the record sets of a response in place of the client's own module (README.md). */
export class FetchDecoder {
  readonly #limits: Room;
  readonly #slow: SlowBatches;
  readonly #responses = new WeakMap<ResponseReader, Response>();
  /** The first partition to decode in the next response, because the last response had no room for it. */
  #start = 0;

  constructor(
    limits: Room = { messageBytes: MAX_MESSAGE_BYTES, unpackedBytes: MAX_UNPACKED_BYTES },
    slow = new SlowBatches(),
  ) {
    this.#limits = limits;
    this.#slow = slow;
  }

  /**
   * Reads the batches of the next partition. Batches that exceed the remaining limits are omitted, as if the broker had
   * not sent them, so the client fetches them again.
   */
  async decode(reader: ResponseReader): Promise<FetchedMessage[]> {
    const response = this.#responseOf(reader);
    const index = response.partitions;
    response.partitions += 1;
    const size = reader.readInt32();
    if (size <= 0 || !reader.canReadBytes(size)) return [];
    const records = reader.readBytes(size);
    if (index < response.start) return [];
    this.#slow.expire();
    const { messages, isCut } = await this.#read(records, response.room);
    // Otherwise a partition with large batches would block the partitions after it.
    if (isCut && messages.length === 0 && this.#start === 0) this.#start = index;
    return messages;
  }

  #responseOf(reader: ResponseReader): Response {
    const known = this.#responses.get(reader);
    if (known !== undefined) return known;
    const response = { room: { ...this.#limits }, start: this.#start, partitions: 0 };
    this.#responses.set(reader, response);
    this.#start = 0;
    return response;
  }

  async #read(records: Buffer, room: Room): Promise<{ messages: FetchedMessage[]; isCut: boolean }> {
    const all: FetchedMessage[][] = [];
    for (let start = 0; records.length - start >= OLD_HEADER_BYTES; ) {
      const end = start + LENGTH_END + records.readInt32BE(start + LENGTH_AT);
      // The broker may truncate the last batch.
      if (end > records.length) break;
      const isNew = records.readInt8(start + MAGIC_AT) >= 2;
      if (end - start < (isNew ? BATCH_HEADER_BYTES : OLD_HEADER_BYTES)) {
        throw new Error(`The length field of a batch is ${end - start} bytes, which is less than its header.`);
      }
      const isWhole =
        room.messageBytes === this.#limits.messageBytes && room.unpackedBytes === this.#limits.unpackedBytes;
      const { messageBytes } = room;
      try {
        const batch = records.subarray(start, end);
        all.push(
          await this.#slow.read(batch, room, async () =>
            isNew ? await readBatch(batch, room, isWhole) : refuseOldMessage(batch, room),
          ),
        );
      } catch (error) {
        if (!(error instanceof NoRoomError)) throw error;
        // The messages of this batch are dropped, but the unpacked bytes still count, because unpacking them took time.
        room.messageBytes = messageBytes;
        return { messages: all.flat(), isCut: true };
      }
      start = end;
    }
    return { messages: all.flat(), isCut: false };
  }
}
