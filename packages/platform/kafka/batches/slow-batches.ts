import { hash } from 'node:crypto';
import type { FetchedMessage, Room } from './fetched-message.ts';
import { BATCH_HEADER_BYTES } from './record-batch.ts';

/** Batches that take longer are cached. */
const SLOW_MILLISECONDS = 500;
/** Long enough for the group to accept a member again and for the partition to be claimed again. */
const MAX_AGE_MILLISECONDS = 60_000;
/** The maximum memory of all cached messages. They share their memory with the messages that wait to be stored. */
const MAX_REMEMBERED_BYTES = 64 * 1024 * 1024;

interface Remembered {
  header: Buffer;
  sha256: string;
  messages: FetchedMessage[];
  messageBytes: number;
  at: number;
}

/**
 * Caches the messages of batches that take a long time to read. Because the client sends no heartbeat during that time,
 * the group may remove this member and discard its messages. Without the cache, such a batch could therefore block its
 * partition forever.
 */
export class SlowBatches {
  readonly #slowMilliseconds: number;
  /** The cached batches, the oldest first. */
  #remembered: Remembered[] = [];

  /**
   * @param slowMilliseconds the minimum reading time for which a batch is cached
   */
  constructor(slowMilliseconds = SLOW_MILLISECONDS) {
    this.#slowMilliseconds = slowMilliseconds;
  }

  /** Removes the batches that were cached too long ago. */
  expire(): void {
    const now = performance.now();
    if (this.#remembered.length === 0) return;
    this.#remembered = this.#remembered.filter(({ at }) => now - at <= MAX_AGE_MILLISECONDS);
  }

  /** Returns the messages of `batch` from the cache if there is room for them; otherwise calls `read`. */
  async read(batch: Buffer, room: Room, read: () => Promise<FetchedMessage[]>): Promise<FetchedMessage[]> {
    const known = this.#remembered.find((candidate) => isSame(candidate, batch));
    if (known !== undefined && known.messageBytes <= room.messageBytes) {
      room.messageBytes -= known.messageBytes;
      return known.messages;
    }
    const before = room.messageBytes;
    const started = performance.now();
    const messages = await read();
    if (performance.now() - started >= this.#slowMilliseconds && known === undefined) {
      this.#remember(batch, messages, before - room.messageBytes);
    }
    return messages;
  }

  #remember(batch: Buffer, messages: FetchedMessage[], messageBytes: number): void {
    const header = Buffer.from(batch.subarray(0, BATCH_HEADER_BYTES));
    this.#remembered.push({ header, sha256: hash('sha256', batch), messages, messageBytes, at: performance.now() });
    while (this.#remembered.reduce((sum, each) => sum + each.messageBytes, 0) > MAX_REMEMBERED_BYTES) {
      this.#remembered.shift();
    }
  }
}

function isSame({ header, sha256 }: Remembered, batch: Buffer): boolean {
  return header.equals(batch.subarray(0, BATCH_HEADER_BYTES)) && hash('sha256', batch) === sha256;
}
