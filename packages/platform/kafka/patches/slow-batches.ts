import type { FetchedMessage, RemainingLimits } from '../batches/record-batch.ts';

/** Batches that take at least this long to read are cached. */
const SLOW_MILLISECONDS = 500;
/** A batch stays in the cache for this time, during which the member can rejoin the group and reclaim the partition. */
const MAX_AGE_MILLISECONDS = 60_000;
/**
 * The maximum memory for all cached batches. A cached message that is also waiting to be stored is in memory only once.
 */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

interface SlowBatch {
  batch: Buffer;
  messages: FetchedMessage[];
  messageBytes: number;
  at: number;
}

/**
 * Caches the messages of batches that are slow to read. Because the client does not send heartbeats while it reads a
 * batch, the group may remove this member and discard its messages. Without the cache, such a batch could therefore
 * block its partition forever.
 */
export class SlowBatches {
  /** The cached batches, oldest first. There are few, because only recent batches that were slow to read are kept. */
  #cached: SlowBatch[] = [];

  /** Returns the messages of `batch` from the cache if there is room for them; otherwise calls `read`. */
  async read(batch: Buffer, limits: RemainingLimits, read: () => Promise<FetchedMessage[]>): Promise<FetchedMessage[]> {
    const started = performance.now();
    this.#cached = this.#cached.filter(({ at }) => started - at <= MAX_AGE_MILLISECONDS);
    // Batches of two partitions can share a header and its checksum, so only an identical batch is a match.
    const known = this.#cached.find((cached) => cached.batch.equals(batch));
    if (known !== undefined && known.messageBytes <= limits.messageBytes) {
      limits.messageBytes -= known.messageBytes;
      return known.messages;
    }
    const before = limits.messageBytes;
    const messages = await read();
    const at = performance.now();
    if (at - started >= SLOW_MILLISECONDS && known === undefined) {
      // The bytes are copied, because the broker's whole response would otherwise stay in memory.
      this.#cached.push({ batch: Buffer.from(batch), messages, messageBytes: before - limits.messageBytes, at });
      while (this.#bytes() > MAX_CACHED_BYTES) this.#cached.shift();
    }
    return messages;
  }

  #bytes(): number {
    return this.#cached.reduce((sum, { batch, messageBytes }) => sum + batch.length + messageBytes, 0);
  }
}
