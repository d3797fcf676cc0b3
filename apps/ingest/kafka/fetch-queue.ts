import type { FetchedRecord } from '@milepost/domain/records';
import type { SourceClaim } from '@milepost/event-log/sources';
import { linksTo, type OpenSpan, openSpan } from '@milepost/tracing';
import type { Consumer } from 'kafkajs';
import { MAX_BATCH } from '../records/record-reader.ts';

/** Fetching pauses when all partitions together reach MAX_BYTES and resumes at RESUME_BYTES. */
const MAX_BYTES = 24 * 1024 * 1024;
const RESUME_BYTES = 16 * 1024 * 1024;
/** The bytes counted for each record in addition to its own, so that many small records cannot exhaust the memory. */
const RECORD_OVERHEAD_BYTES = 512;

type TopicPartition = Pick<SourceClaim, 'topic' | 'partition'>;

/** Limits the total number of bytes held by an assignment's partitions, by pausing the client. */
export class FetchLimit {
  readonly #consumer: Pick<Consumer, 'seek' | 'pause' | 'resume'>;
  readonly #open = new Set<TopicPartition>();
  readonly #onFull: () => void;
  /** The number of fetched bytes that have not been released yet. */
  bytes = 0;
  isFull = false;

  /** @param onFull called each time fetching pauses because the queue is full */
  constructor(consumer: Pick<Consumer, 'seek' | 'pause' | 'resume'>, onFull = () => {}) {
    this.#consumer = consumer;
    this.#onFull = onFull;
  }

  /** Starts fetching a partition at an offset, as long as there is room. */
  open(opened: TopicPartition, offset: number): void {
    this.#open.add(opened);
    this.seek(opened, offset);
    if (!this.isFull) this.#control(() => this.#consumer.resume(namesOf([opened])));
  }

  /** Makes the next fetch of a partition start at an offset. The results of a fetch in progress are discarded. */
  seek({ topic, partition }: TopicPartition, offset: number): void {
    this.#control(() => this.#consumer.seek({ topic, partition, offset: String(offset) }));
  }

  /** Stops fetching a partition. */
  close(partition: TopicPartition): void {
    if (this.#open.delete(partition)) this.#control(() => this.#consumer.pause(namesOf([partition])));
  }

  /** Adds `bytes` to the total: a positive number for fetched bytes, a negative one for released bytes. */
  count(bytes: number): void {
    this.bytes += bytes;
    if (!this.isFull && this.bytes >= MAX_BYTES) {
      this.isFull = true;
      this.#onFull();
      this.#control(() => this.#consumer.pause(namesOf(this.#open)));
    } else if (this.isFull && this.bytes <= RESUME_BYTES) {
      this.isFull = false;
      this.#control(() => this.#consumer.resume(namesOf(this.#open)));
    }
  }

  /** A crashed client throws here and stops fetching, but reports the cause of the crash separately. */
  #control(change: () => void): void {
    try {
      change();
    } catch {}
  }
}

function namesOf(partitions: Iterable<TopicPartition>): { topic: string; partitions: number[] }[] {
  return Array.from(partitions, ({ topic, partition }) => ({ topic, partitions: [partition] }));
}

/** The offsets from `first` up to, but not including, `end`, with their records. */
export interface FetchedBatch {
  first: number;
  end: number;
  records: FetchedRecord[];
  /** The batch's bytes that count towards the limit, including the overhead of its records. */
  bytes: number;
}

/** The offsets from `first` up to `end`, exclusive. This range contains one record, or only control records. */
type Queued = Omit<FetchedBatch, 'records'> & { record: FetchedRecord | null };

/**
 * A partition's fetched records that have not been stored yet, in offset order. Only one reader may iterate over the
 * queue.
 */
export class FetchQueue {
  readonly #limit: FetchLimit;
  #fetched: Queued[] = [];
  #heldBytes = 0;
  #failure: { error: unknown } | null = null;
  #changed = Promise.withResolvers<void>();

  constructor(limit: FetchLimit) {
    this.#limit = limit;
  }

  /** Adds the offsets from `first` up to, but not including, `end`, with their records. */
  add(first: number, end: number, records: readonly FetchedRecord[]): void {
    if (this.#failure !== null) return;
    let start = first;
    const held = this.#heldBytes;
    const push = (next: number, record: FetchedRecord | null) => {
      const bytes = RECORD_OVERHEAD_BYTES + (record?.value?.byteLength ?? 0);
      this.#fetched.push({ first: start, end: next, record, bytes });
      this.#heldBytes += bytes;
      start = next;
    };
    for (const record of records) push(record.offset + 1, record);
    const last = this.#fetched.at(-1);
    // Control records may follow the last record, and the source's offset in the log must move past them too.
    if (records.length > 0 && last) last.end = end;
    else push(end, null);
    this.#limit.count(this.#heldBytes - held);
    this.#changed.resolve();
  }

  /** Subtracts the bytes of a stored batch. */
  release({ bytes }: FetchedBatch): void {
    if (this.#failure !== null) return;
    this.#heldBytes -= bytes;
    this.#limit.count(-bytes);
  }

  /** Discards all records and makes the waiting reader throw `error`. */
  fail(error: unknown): void {
    if (this.#failure !== null) return;
    this.#failure = { error };
    this.#fetched = [];
    this.#limit.count(-this.#heldBytes);
    this.#changed.resolve();
  }

  /** Yields batches in offset order. Each batch is as large as the available records and the limits allow. */
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

  /** Takes consecutive offsets up to a batch's limits; returns null if the queue is empty. */
  #take(): FetchedBatch | null {
    const [head] = this.#fetched;
    if (!head) return null;
    const batch: FetchedBatch = { first: head.first, end: head.first, records: [], bytes: 0 };
    let count = 0;
    for (const { first, end, record, bytes } of this.#fetched) {
      const isFull = batch.records.length === MAX_BATCH.records || batch.bytes + bytes > MAX_BATCH.bytes;
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

/**
 * Begins a batch's span, which covers everything from the check of its records to the commit. The span has a trace of
 * its own, linked to the traces of the batch's records, even if there is only one record.
 */
export function openBatchSpan(
  { topic, partition }: { topic: string; partition: number },
  records: readonly FetchedRecord[],
): OpenSpan | undefined {
  return openSpan(`process ${topic}`, () => ({
    kind: 'CONSUMER',
    links: linksTo(records.map(({ headers }) => headers?.traceparent)),
    attributes: {
      'messaging.system': 'kafka',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': topic,
      'messaging.destination.partition.id': String(partition),
      'messaging.batch.message_count': records.length,
    },
  }));
}
