import { setTimeout as delay } from 'node:timers/promises';
import {
  claimSource,
  clearSourceFault,
  type IncomingRecord,
  isSameRecord,
  lastRecordOf,
  listStoppedSources,
  markSourceFault,
  type SourceClaim,
  SourceFencedError,
} from '@milepost/event-log';
import { backoffMilliseconds, isTransientError, type Pool, retryTransientErrors } from '@milepost/postgres';
import { type Logger, messageOf } from '@milepost/service';
import type { Admin, KafkaMessage } from 'kafkajs';
import { ahead } from '../records/ahead.ts';
import type { RecordReader } from '../records/record-reader.ts';
import { SourceStoppedError } from './errors.ts';
import { type FetchedBatch, type FetchLimit, FetchQueue } from './fetch-queue.ts';
import type { JointAppender } from './joint-appender.ts';

/** How long a partition rests after another process has claimed it, until the group has settled who owns it. */
const FENCED_REST_MILLISECONDS = 3_000;
/** How often a stopped partition looks whether an operator has settled it. */
const SETTLED_POLL_MILLISECONDS = 2_000;

/** What the partitions of one assignment share. */
interface Assignment {
  pool: Pool;
  admin: Pick<Admin, 'fetchTopicOffsets'>;
  limit: FetchLimit;
  reader: Pick<RecordReader, 'prepare'>;
  appender: Pick<JointAppender, 'append'>;
  logger: Logger;
  /** Aborts with the assignment: nothing more is stored then. */
  signal: AbortSignal;
}

/**
 * A partition that the group has assigned to this process: claimed in the log, read from where the log goes on, and
 * claimed again whenever anything about the claim is in doubt. One that does not hold what comes next is stopped, and the
 * others go on.
 */
export class Partition {
  readonly topic: string;
  readonly partition: number;
  readonly #assignment: Assignment;
  readonly #logger: Logger;
  /** By which it is read; null while it is not read. */
  claim: SourceClaim | null = null;
  /** Before this offset the client has nothing left to fetch. */
  fetchedTo = 0;
  #queue: FetchQueue | null = null;
  /** Where a gap was seen: it is one when it is there again. */
  #gapAt: number | null = null;
  #failures = 0;

  constructor(topic: string, partition: number, assignment: Assignment) {
    this.topic = topic;
    this.partition = partition;
    this.#assignment = assignment;
    this.#logger = assignment.logger.child({ topic, partition });
    assignment.signal.addEventListener('abort', () => this.fail(assignment.signal.reason), { once: true });
  }

  /** Claims, reads, rests, and claims again, until the assignment ends. Throws what a rest does not mend. */
  async run(): Promise<void> {
    const { signal } = this.#assignment;
    while (!signal.aborted) {
      try {
        await this.#read().catch((error: unknown) => this.#rest(error));
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  }

  /**
   * Takes over the offsets from `first` to `last`, to be stored in their turn; false when nothing is wanted at present.
   *
   * @param first null when none of them holds anything
   */
  add(first: string | null, last: string, messages: readonly KafkaMessage[]): boolean {
    if (this.#queue === null) return false;
    const end = Number(last) + 1;
    const records = messages.map(({ offset, value, timestamp }) => ({
      offset: Number(offset),
      raw: value,
      timestamp: Number(timestamp),
    }));
    this.#queue.add(Number(first ?? last), end, records);
    this.fetchedTo = Math.max(this.fetchedTo, end);
    return true;
  }

  /** Ends the reading under way with an error, as if it had met with it. */
  fail(error: unknown): void {
    this.#assignment.limit.close(this);
    this.#queue?.fail(error);
  }

  async #takeClaim(): Promise<SourceClaim> {
    const { pool, signal } = this.#assignment;
    const taken = await retryTransientErrors(() => claimSource(pool, this.topic, this.partition), {
      signal,
      onRetry: (error) => this.#logger.warn({ reason: messageOf(error) }, 'database is away: claiming again'),
    });
    const { low } = taken.nextOffset > 0 ? await this.#checkHeld(taken) : { low: 0 };
    // Retention may take what was read. The records behind it are there, so no other topic can have taken its place.
    const claim = taken.last !== null && taken.last.offset < low ? { ...taken, last: null } : taken;
    if (claim.stopped !== null && claim.last === null) throw new SourceStoppedError(claim, claim.stopped);
    return claim;
  }

  /**
   * Claims, and reads from the last record on, which is compared with the one that was read. Returns at a gap, which calls
   * for a new comparison; otherwise ends with an error.
   */
  async #read(): Promise<void> {
    const { limit, appender, signal } = this.#assignment;
    let claim = await this.#takeClaim();
    signal.throwIfAborted();
    const queue = new FetchQueue(limit);
    const start = claim.last?.offset ?? claim.nextOffset;
    let expected = start;
    this.claim = claim;
    this.#queue = queue;
    this.fetchedTo = claim.nextOffset;
    try {
      // The offset that the group has committed is a hint, and belongs to another log when the database is new.
      limit.open(this, start);
      this.#logger.info({ epoch: claim.epoch, next_offset: claim.nextOffset }, 'partition claimed');
      for await (const batch of ahead(this.#prepare(queue))) {
        signal.throwIfAborted();
        if (batch.first !== expected && !(await this.#isGap(claim, expected, batch.first))) return;
        if (expected === start) await this.#confirm(claim, batch);
        expected = batch.end;
        const { nextOffset } = claim;
        const records = batch.records.filter(({ offset }) => offset >= nextOffset);
        if (records.length > 0) {
          ({ claim } = await appender.append({ claim, records, nextOffset: batch.end }));
          this.claim = claim;
          this.#failures = 0;
        }
        queue.release(batch);
      }
    } finally {
      limit.close(this);
      queue.fail(null);
      this.#queue = null;
      this.claim = null;
    }
  }

  async *#prepare(queue: FetchQueue): AsyncGenerator<FetchedBatch<IncomingRecord>> {
    for await (const batch of queue) {
      yield { ...batch, records: await this.#assignment.reader.prepare(batch.records) };
    }
  }

  /**
   * Whether nothing lies between the offset expected and the one that came. Seen once, it is looked at again from the last
   * record on. Later offsets are a gap that the broker made (compaction, control records), unless records were removed;
   * earlier ones mean that the topic was made anew.
   */
  async #isGap(claim: SourceClaim, expected: number, first: number): Promise<boolean> {
    const isSeenAgain = this.#gapAt === first;
    this.#gapAt = first;
    if (!isSeenAgain) return false;
    // What was removed before the source was ever read is no gap.
    const { high } = claim.nextOffset > 0 ? await this.#checkHeld(claim) : { high: 0 };
    if (first < expected) throw SourceStoppedError.outOfRange(claim, first, high);
    return true;
  }

  /** Compares what a claim's first batch begins with to the last record that was read. */
  async #confirm(claim: SourceClaim, { first, records }: FetchedBatch): Promise<void> {
    const { last, stopped } = claim;
    if (last === null) return;
    if (first === last.offset) {
      const record = records.find(({ offset }) => offset === last.offset);
      const found = record && lastRecordOf(record.offset, record.timestamp ?? 0, record.raw);
      if (!found || !isSameRecord(last, found)) throw SourceStoppedError.madeAnew(claim, last.offset);
    } else if (stopped !== null) {
      // Compaction has taken the record, so nothing says that the cause is gone.
      throw new SourceStoppedError(claim, stopped);
    }
    await clearSourceFault(this.#assignment.pool, claim);
  }

  /** Where the broker's records begin and end. Throws SourceStoppedError when it lacks what comes next. */
  async #checkHeld(claim: SourceClaim): Promise<{ low: number; high: number }> {
    const offsets = await this.#assignment.admin.fetchTopicOffsets(this.topic);
    const held = offsets.find(({ partition }) => partition === this.partition);
    if (!held) return { low: 0, high: 0 };
    const low = Number(held.low);
    const high = Number(held.high);
    if (claim.nextOffset < low || claim.nextOffset > high) throw SourceStoppedError.outOfRange(claim, low, high);
    return { low, high };
  }

  /** Waits as long as the cause of the reading's end asks for. Throws what is none that passes. */
  async #rest(error: unknown): Promise<void> {
    this.#assignment.signal.throwIfAborted();
    if (error instanceof SourceStoppedError) return await this.#stop(error);
    const isFenced = error instanceof SourceFencedError;
    if (!isFenced && !isTransientError(error)) throw error;
    const delay_milliseconds = isFenced ? FENCED_REST_MILLISECONDS : backoffMilliseconds(this.#failures);
    this.#failures += 1;
    const what = isFenced ? 'partition was claimed by another process' : 'batch not stored: claiming again';
    this.#logger.warn({ reason: messageOf(error), delay_milliseconds }, what);
    await this.#wait(delay_milliseconds);
  }

  /** Says for everybody to see why nothing is read, and waits until an operator has settled it. */
  async #stop({ claim, message }: SourceStoppedError): Promise<void> {
    const { pool, signal } = this.#assignment;
    this.#logger.error({ reason: message }, 'source stopped');
    const retry = { signal };
    await retryTransientErrors(() => markSourceFault(pool, [claim], message, true), retry);
    for (;;) {
      await this.#wait(SETTLED_POLL_MILLISECONDS);
      const stopped = await retryTransientErrors(() => listStoppedSources(pool), retry);
      if (!stopped.some(({ topic, partition }) => topic === this.topic && partition === this.partition)) return;
    }
  }

  async #wait(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#assignment.signal });
  }
}
