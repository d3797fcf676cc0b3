import { setTimeout as delay } from 'node:timers/promises';
import { FleetFencedError, SourceFencedError } from '@milepost/event-log/fences';
import type { IncomingRecord } from '@milepost/event-log/prepare';
import type { IngestMetrics } from '@milepost/metrics/ingest';
import { backoffMilliseconds, isTransientError, retryTransientErrors } from '@milepost/postgres';
import { prefetch } from '@milepost/postgres/prefetch';
import { type Logger, messageOf } from '@milepost/service';
import { inSpan, type OpenSpan, run, runAndEnd } from '@milepost/tracing';
import type { Admin } from 'kafkajs';
import type { RecordReader } from '../records/record-reader.ts';
import { type FetchedBatch, type FetchLimit, FetchQueue, openBatchSpan } from './fetch-queue.ts';
import { LaneReturnedError, type PartitionClaim, Source, type SourceLanes } from './source.ts';
import { type Fetched, SourceStoppedError, TopicIdentity } from './topic-identity.ts';

/** How long a partition pauses after another process has claimed it, until the group has settled the assignment. */
const FENCED_PAUSE_MILLISECONDS = 3_000;
/** How long a partition pauses while all lanes refuse a fleet that is moving between them. */
const MOVE_PAUSE_MILLISECONDS = 500;
/** How often a stopped partition checks whether an operator has resumed it. */
const SETTLED_POLL_MILLISECONDS = 2_000;

/** The partition is being read, from a claim to an error. */
interface Reading {
  is: 'reading';
  claim: PartitionClaim;
  queue: FetchQueue;
  identity: TopicIdentity;
  /** Resolves when a comparison shows that the broker still has the topic of the claimed source. */
  confirmed: PromiseWithResolvers<void>;
  /** The spans of the prepared batches that are waiting to be appended. */
  spans: Set<OpenSpan | undefined>;
}

/** While the partition is idle, `claim` is the one that has ended; null before the first one. */
type State = Reading | { is: 'idle'; claim: PartitionClaim | null };

/** A batch with its records checked and encoded. */
interface PreparedBatch extends FetchedBatch {
  prepared: IncomingRecord[];
  span: OpenSpan | undefined;
}

/** The objects that the partitions of one assignment share. */
export interface PartitionOptions {
  lanes: SourceLanes;
  admin: Pick<Admin, 'fetchTopicOffsets'>;
  limit: FetchLimit;
  reader: Pick<RecordReader, 'prepare'>;
  metrics?: IngestMetrics | undefined;
  logger: Logger;
  /** The time after which the known record is compared again. */
  comparisonMilliseconds: number;
  /** Aborts when the assignment ends. Nothing is stored afterwards. */
  signal: AbortSignal;
}

/**
 * A partition that the group has assigned to this process. The process claims the partition in the log, reads it from
 * the next offset there, and claims it again whenever the claim may have been lost (README.md).
 */
export class Partition {
  readonly topic: string;
  readonly partition: number;
  readonly #assignment: PartitionOptions;
  readonly #logger: Logger;
  readonly source: Source;
  #state: State = { is: 'idle', claim: null };
  /** The partition's last known end at the broker; null when unknown. */
  end: number | null = null;
  /** The offset of a possible gap. If the gap appears again, it is real. */
  #gapAt: number | null = null;
  #failures = 0;

  constructor(topic: string, partition: number, assignment: PartitionOptions) {
    this.topic = topic;
    this.partition = partition;
    this.#assignment = assignment;
    this.#logger = assignment.logger.child({ topic, partition });
    const { lanes, signal } = assignment;
    const onReturn = (error: LaneReturnedError) => this.fail(error);
    this.source = new Source({ topic, partition }, lanes, { logger: this.#logger, signal, onReturn });
    assignment.signal.addEventListener('abort', () => this.fail(assignment.signal.reason), { once: true });
  }

  /** Claims, reads, pauses, and claims again, until the assignment ends. Throws errors that a pause cannot resolve. */
  async run(): Promise<void> {
    const { signal } = this.#assignment;
    while (!signal.aborted) {
      try {
        await this.#read().catch((error: unknown) => this.#pause(error));
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  }

  /** The claim of the current reading; null when the partition is not being read. */
  get claim(): PartitionClaim | null {
    return this.#state.is === 'reading' ? this.#state.claim : null;
  }

  /** The offset after the last stored one, even between two claims; null when unknown. */
  get nextOffset(): number | null {
    return this.#state.claim?.nextOffset ?? null;
  }

  /** The number of offsets that have not been stored yet, even between two claims; null when unknown. */
  get lag(): number | null {
    return this.nextOffset === null || this.end === null ? null : Math.max(this.end - this.nextOffset, 0);
  }

  /** The client has fetched everything before this offset. */
  get fetchedTo(): number {
    return this.#state.is === 'reading' ? this.#state.identity.fetchedTo : 0;
  }

  /** Queues fetched records. Returns false when the next fetch begins at another offset, or the partition is idle. */
  add(fetched: Fetched): boolean {
    if (this.#state.is !== 'reading') return false;
    const { claim, queue, identity, confirmed } = this.#state;
    const { found, accepted, seek } = identity.take(fetched, performance.now());
    if (typeof found === 'object' && found !== null) {
      this.fail(SourceStoppedError.recreated(claim, found.otherAt));
      return false;
    }
    if (found === 'none' && claim.stopped !== null) {
      // Compaction has removed the known record, so nothing proves that the reason for the stop is gone.
      this.fail(new SourceStoppedError(claim.stopped));
      return false;
    }
    if (found !== null) confirmed.resolve();
    for (const each of accepted) queue.add(each.first ?? each.end - 1, each.end, each.records);
    if (seek !== null) this.#assignment.limit.seek(this, seek);
    return seek === null;
  }

  /** Fetches the known record again to compare it, either always or only if the last comparison is too old. */
  compare(when: 'now' | 'due'): void {
    if (this.#state.is !== 'reading') return;
    const { identity } = this.#state;
    const offset = when === 'now' ? identity.compare() : identity.compareIfDue(performance.now());
    if (offset !== null) this.#assignment.limit.seek(this, offset);
  }

  /** Moves the offsets of lanes without records of their own. If this fails, reading stops with the error. */
  async flush(): Promise<void> {
    await this.source.flush().catch((error: unknown) => this.fail(error));
  }

  /** Ends the current reading with an error. */
  fail(error: unknown): void {
    this.#assignment.limit.close(this);
    if (this.#state.is !== 'reading') return;
    this.#state.queue.fail(error);
    this.#state.confirmed.reject(error);
  }

  /** Returns the claim with which the partition can be read. Stops lanes whose offset is missing from the broker. */
  async #checkClaim(taken: PartitionClaim): Promise<PartitionClaim> {
    let low = 0;
    try {
      if (taken.nextOffset > 0) ({ low } = await this.#checkHeld(taken));
    } catch (error) {
      const others = error instanceof SourceStoppedError ? await this.source.stopLowest(error.message) : null;
      if (others === null) throw error;
      this.#logger.error({ reason: messageOf(error) }, 'The source is stopped in some lanes.');
      return await this.#checkClaim(others);
    }
    // Retention may remove records that have been read. Later records still exist, so the topic has not been replaced.
    const claim = taken.last !== null && taken.last.offset < low ? { ...taken, last: null } : taken;
    if (claim.stopped !== null && claim.last === null) throw new SourceStoppedError(claim.stopped);
    return claim;
  }

  /**
   * Claims the partition, compares the known record, and continues to read. Returns only at a gap, after which the
   * known record must be compared again; throws an error in all other cases.
   */
  async #read(): Promise<void> {
    const { limit, signal, comparisonMilliseconds } = this.#assignment;
    const taken = await retryTransientErrors(() => this.source.claim(), {
      signal,
      onRetry: (error) =>
        this.#logger.warn({ reason: messageOf(error) }, 'The database is not responding: claiming again.'),
    });
    const claim = await this.#checkClaim(taken);
    signal.throwIfAborted();
    const { last, nextOffset } = claim;
    const identity = new TopicIdentity(last, nextOffset, comparisonMilliseconds, performance.now());
    const confirmed = Promise.withResolvers<void>();
    // Prevents an unhandled rejection when nothing awaits the promise.
    confirmed.promise.catch(() => {});
    const queue = new FetchQueue(limit);
    const reading: Reading = { is: 'reading', claim, queue, identity, confirmed, spans: new Set() };
    let expected = nextOffset;
    this.#state = reading;
    try {
      // The group's committed offset is only a hint. If the database is new, that offset even belongs to another log.
      limit.open(this, last?.offset ?? nextOffset);
      this.#logger.info({ epoch: claim.epoch, next_offset: nextOffset }, 'The partition was claimed.');
      if (last !== null) {
        await confirmed.promise;
        await this.source.clearFault();
        reading.claim = { ...claim, stopped: null };
      }
      for await (const batch of prefetch(this.#prepare(reading))) {
        signal.throwIfAborted();
        if (batch.first !== expected && !(await this.#isGap(reading.claim, expected, batch.first))) return;
        expected = batch.end;
        await this.#append(reading, batch);
        queue.release(batch);
      }
    } finally {
      limit.close(this);
      queue.fail(null);
      this.#state = { is: 'idle', claim: reading.claim };
      for (const span of reading.spans) span?.end('dropped');
    }
  }

  async #append(reading: Reading, { records, prepared, end, span }: PreparedBatch) {
    reading.spans.delete(span);
    // Without a known record, a topic that was created again is detected only if it is read from the start.
    if (records.length === 0 && reading.claim.last === null) return span?.end();
    const known = reading.identity.confirmed(records);
    reading.claim = await runAndEnd(span, () => this.source.append(prepared, end, known));
    const bytes = records.reduce((sum, { value }) => sum + (value?.byteLength ?? 0), 0);
    this.#assignment.metrics?.countBatch(this, records.length, bytes);
    if (known !== null) reading.identity.know(known);
    this.#failures = 0;
  }

  async *#prepare({ queue, spans }: Reading): AsyncGenerator<PreparedBatch> {
    const { reader, metrics } = this.#assignment;
    for await (const batch of queue) {
      const started = performance.now();
      const span = openBatchSpan(this, batch.records);
      spans.add(span);
      const prepared = await run(span, () => inSpan('encode', () => reader.prepare(batch.records)));
      metrics?.countStep('encode', performance.now() - started);
      yield { ...batch, prepared, span };
    }
  }

  /**
   * Whether the gap between the expected offset and the received one is real and reading can continue after it. When a
   * gap appears for the first time, the partition is read again from the last record. If the gap appears again, it is
   * real. If the received offset is below the expected one, the topic was created again. Otherwise, records were
   * removed, for example by compaction.
   */
  async #isGap(claim: PartitionClaim, expected: number, first: number): Promise<boolean> {
    const isSeenAgain = this.#gapAt === first;
    this.#gapAt = first;
    if (!isSeenAgain) return false;
    // Records that were removed before the source was first read are not a gap.
    const { high } = claim.nextOffset > 0 ? await this.#checkHeld(claim) : { high: 0 };
    if (first < expected) throw SourceStoppedError.outOfRange(claim, first, high);
    return true;
  }

  /** Returns the broker's first and next offset. Throws SourceStoppedError if the claim's offset is out of range. */
  async #checkHeld(claim: PartitionClaim): Promise<{ low: number; high: number }> {
    const offsets = await this.#assignment.admin.fetchTopicOffsets(this.topic);
    const held = offsets.find(({ partition }) => partition === this.partition);
    if (!held) return { low: 0, high: 0 };
    const low = Number(held.low);
    const high = Number(held.high);
    if (claim.nextOffset < low || claim.nextOffset > high) throw SourceStoppedError.outOfRange(claim, low, high);
    return { low, high };
  }

  /** Waits for as long as the error requires. Throws permanent errors. */
  async #pause(error: unknown): Promise<void> {
    this.#assignment.signal.throwIfAborted();
    if (error instanceof LaneReturnedError) return;
    if (error instanceof SourceStoppedError) return await this.#stop(error);
    if (error instanceof FleetFencedError) return await this.#wait(MOVE_PAUSE_MILLISECONDS);
    const isFenced = error instanceof SourceFencedError;
    if (!isFenced && !isTransientError(error)) throw error;
    const delay_milliseconds = isFenced ? FENCED_PAUSE_MILLISECONDS : backoffMilliseconds(this.#failures);
    this.#failures += 1;
    const what = isFenced ? 'The partition was claimed by another process.' : 'A batch was not stored: claiming again.';
    this.#logger.warn({ reason: messageOf(error), delay_milliseconds }, what);
    await this.#wait(delay_milliseconds);
  }

  /** Stores why the source is stopped, and waits until an operator has resumed it. */
  async #stop({ message }: SourceStoppedError): Promise<void> {
    this.#logger.error({ reason: message }, 'The source is stopped.');
    await retryTransientErrors(() => this.source.markFault(message, true), { signal: this.#assignment.signal });
    do await this.#wait(SETTLED_POLL_MILLISECONDS);
    while (!(await this.source.isSettled()));
  }

  async #wait(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#assignment.signal });
  }
}
