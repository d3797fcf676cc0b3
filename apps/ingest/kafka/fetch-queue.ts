import type { SourceClaim } from '@milepost/event-log';
import type { Consumer } from 'kafkajs';
import { LARGEST_BATCH, type RawRecord } from '../records/record-reader.ts';

/** Fetching pauses when all partitions together hold this much, and resumes when they hold this little. */
const MOST_BYTES = 32 * 1024 * 1024;
const FEW_BYTES = 16 * 1024 * 1024;
/** What a record takes beside its bytes: small ones would fill the memory otherwise. */
const RECORD_OVERHEAD_BYTES = 512;

type TopicPartition = Pick<SourceClaim, 'topic' | 'partition'>;

/** Limits what the partitions of one assignment hold together, by pausing the client. */
export class FetchLimit {
  readonly #consumer: Pick<Consumer, 'seek' | 'pause' | 'resume'>;
  readonly #open = new Set<TopicPartition>();
  #bytes = 0;
  isFull = false;

  constructor(consumer: Pick<Consumer, 'seek' | 'pause' | 'resume'>) {
    this.#consumer = consumer;
  }

  /** Has a partition fetched from an offset on, as long as there is room. */
  open(opened: TopicPartition, offset: number): void {
    const { topic, partition } = opened;
    this.#open.add(opened);
    this.#tell(() => this.#consumer.seek({ topic, partition, offset: String(offset) }));
    if (!this.isFull) this.#tell(() => this.#consumer.resume(namesOf([opened])));
  }

  /** Has a partition fetched no more. */
  close(partition: TopicPartition): void {
    if (this.#open.delete(partition)) this.#tell(() => this.#consumer.pause(namesOf([partition])));
  }

  /** Counts bytes that were fetched, or, below zero, that are held no more. */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (!this.isFull && this.#bytes >= MOST_BYTES) {
      this.isFull = true;
      this.#tell(() => this.#consumer.pause(namesOf(this.#open)));
    } else if (this.isFull && this.#bytes <= FEW_BYTES) {
      this.isFull = false;
      this.#tell(() => this.#consumer.resume(namesOf(this.#open)));
    }
  }

  /** A client that has crashed refuses, and fetches nothing any more. Why it crashed, it says by itself. */
  #tell(change: () => void): void {
    try {
      change();
    } catch {}
  }
}

function namesOf(partitions: Iterable<TopicPartition>): { topic: string; partitions: number[] }[] {
  return Array.from(partitions, ({ topic, partition }) => ({ topic, partitions: [partition] }));
}

/** Offsets from `first` to before `end`, with the records that they hold. */
export interface FetchedBatch<Kind extends RawRecord = RawRecord> {
  first: number;
  end: number;
  records: Kind[];
  bytes: number;
}

/** Offsets from `first` to before `end`, which hold one record, or none that is a client's. */
type Fetched = Omit<FetchedBatch, 'records'> & { record: RawRecord | null };

/** What was fetched of a partition and is not stored yet, in the order of its offsets. Iterated by one reader. */
export class FetchQueue {
  readonly #limit: FetchLimit;
  #fetched: Fetched[] = [];
  #heldBytes = 0;
  #failure: { error: unknown } | null = null;
  #changed = Promise.withResolvers<void>();

  constructor(limit: FetchLimit) {
    this.#limit = limit;
  }

  /** Adds the offsets from `first` to before `end`, with their records. */
  add(first: number, end: number, records: readonly RawRecord[]): void {
    if (this.#failure !== null) return;
    let start = first;
    const held = this.#heldBytes;
    const push = (next: number, record: RawRecord | null) => {
      const bytes = RECORD_OVERHEAD_BYTES + (record?.raw?.byteLength ?? 0);
      this.#fetched.push({ first: start, end: next, record, bytes });
      this.#heldBytes += bytes;
      start = next;
    };
    for (const record of records) push(record.offset + 1, record);
    const last = this.#fetched.at(-1);
    // Control records may follow the last record: the log's offset must pass those too.
    if (records.length > 0 && last) last.end = end;
    else push(end, null);
    this.#limit.count(this.#heldBytes - held);
    this.#changed.resolve();
  }

  /** Counts a batch no more: it is stored. */
  release({ bytes }: FetchedBatch): void {
    if (this.#failure !== null) return;
    this.#heldBytes -= bytes;
    this.#limit.count(-bytes);
  }

  /** Drops all that it holds, and throws `error` at whoever waits for more. */
  fail(error: unknown): void {
    if (this.#failure !== null) return;
    this.#failure = { error };
    this.#fetched = [];
    this.#limit.count(-this.#heldBytes);
    this.#changed.resolve();
  }

  /** Batches in the order of their offsets, as large as what is there, within limits. */
  async *[Symbol.asyncIterator](): AsyncGenerator<FetchedBatch> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure.error;
      const batch = this.#take();
      if (batch !== null) yield batch;
      else {
        this.#changed = Promise.withResolvers();
        await this.#changed.promise;
      }
    }
  }

  /** Takes what follows on each other, up to the limits of a batch; null when there is nothing. */
  #take(): FetchedBatch | null {
    const [head] = this.#fetched;
    if (!head) return null;
    const batch: FetchedBatch = { first: head.first, end: head.first, records: [], bytes: 0 };
    let count = 0;
    for (const { first, end, record, bytes } of this.#fetched) {
      const isFull = batch.records.length === LARGEST_BATCH.records || batch.bytes + bytes > LARGEST_BATCH.bytes;
      if (first !== batch.end || (isFull && count > 0)) break;
      if (record !== null) batch.records.push(record);
      batch.end = end;
      batch.bytes += bytes;
      count += 1;
    }
    this.#fetched.splice(0, count);
    return batch;
  }
}
