import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { deniedTopicOf } from '@milepost/kafka';
import { messageOf } from '@milepost/service';
import type { Admin, Consumer, EachBatchPayload } from 'kafkajs';
import { NewLaneError } from '../lanes.ts';
import { Assignments } from './assignments.ts';
import { sendHeartbeats } from './heartbeats.ts';
import type { Partition, PartitionOptions } from './partition.ts';
import { findBehind, StallWatchdog } from './stall-watchdog.ts';
import { TopicsChangedError, type TopicWatch } from './topic-watch.ts';

/**
 * The pause before the next fetch at the end of a partition. It adds a delay, but a fetch for each record would cost
 * more.
 */
const END_PAUSE_MILLISECONDS = 20;
/** This exceeds the number of partitions of a process, so that all partitions of a fetch are handled concurrently. */
const PARTITIONS_AT_ONCE = 64;
const CHECK_MILLISECONDS = 5_000;
/** The maximum wait for a broker, so that one that does not respond cannot delay the next consumer. */
const MAX_LOOKUP_MILLISECONDS = 5_000;

export interface SupervisorOptions extends Omit<PartitionOptions, 'limit' | 'admin'> {
  admin: Admin;
  consumer: Consumer;
  watch: TopicWatch;
  /** The next offsets of the sources at which an earlier consumer crashed, by topic and partition. */
  crashedAt: Map<string, number>;
  /** Called each time the brokers have responded to a fetch. */
  onFetched: () => void;
}

const nameOf = ({ topic, partition }: Partition) => `${topic}/${partition}`;
const offsetOf = ({ claim, lastClaim }: Partition) => (claim ?? lastClaim)?.nextOffset;

/** Runs a consumer until the signal aborts, or until another one must replace it. */
export class ConsumerSupervisor {
  readonly #options: SupervisorOptions;
  readonly #crashed = new AbortController();
  readonly #ending: AbortSignal;
  readonly #assignments: Assignments;
  readonly #watchdog = new StallWatchdog();
  /** Whether the client sends a request with the current fetch. */
  #isAsking = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#ending = AbortSignal.any([options.signal, this.#crashed.signal]);
    this.#assignments = new Assignments({
      ...options,
      signal: this.#ending,
      onFailure: async (error, partition) => await this.#crash(error, [partition]),
    });
  }

  /** Reads until the signal aborts, or until the consumer ends for another reason, which it returns. */
  async run(): Promise<unknown> {
    const { admin, consumer, watch } = this.#options;
    this.#listen();
    await admin.connect();
    const topics = await watch.prepare(admin);
    await consumer.connect();
    await consumer.subscribe({ topics, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
      eachBatch: async (payload) => await this.#take(payload),
    });
    for (const ended = once(this.#ending, 'abort'); !this.#ending.aborted; ) {
      await Promise.race([ended, delay(CHECK_MILLISECONDS, undefined, { ref: false })]);
      if (!this.#ending.aborted) await Promise.race([ended, this.#check()]);
    }
    return this.#crashed.signal.reason;
  }

  /** Ends the assignment. */
  async end(): Promise<void> {
    await this.#assignments.end();
  }

  #listen(): void {
    const { consumer, metrics, watch, onFetched } = this.#options;
    const assignments = this.#assignments;
    metrics?.readAssignment(
      () => assignments.partitions,
      () => assignments.limit.bytes,
    );
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      metrics?.countRebalance();
      this.#watchdog.noteSign();
      assignments.replace(payload.memberAssignment);
      void watch.report();
    });
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
      this.#watchdog.noteSign();
      // The batch has only control records and aborted records, which the client does not pass on.
      if (payload.batchSize > 0) return;
      assignments.find(payload.topic, payload.partition)?.add(payload.firstOffset, payload.lastOffset, []);
    });
    // While all partitions are paused, the client sends no request but still emits the event FETCH.
    consumer.on(consumer.events.FETCH_START, () => {
      this.#isAsking = assignments.partitions.some(({ claim }) => claim !== null);
    });
    consumer.on(consumer.events.FETCH, ({ payload }) => {
      metrics?.countStep('read', payload.duration);
      if (this.#isAsking) onFetched();
    });
    // The client requests the metadata of the topics after each failed fetch, and then continues at the same offset.
    consumer.on(consumer.events.REQUEST, ({ payload }) => {
      if (payload.apiName === 'Metadata') for (const partition of assignments.partitions) partition.compare('now');
    });
    consumer.on(consumer.events.CRASH, async ({ payload: { error } }) => {
      const denied = deniedTopicOf(error);
      if (denied === null) return await this.#crash(error, await this.#findFailed());
      watch.deny(denied);
      this.#crashed.abort(new TopicsChangedError(messageOf(error)));
    });
  }

  async #take({ batch, isStale, resolveOffset }: EachBatchPayload): Promise<void> {
    const partition = isStale() ? undefined : this.#assignments.find(batch.topic, batch.partition);
    if (partition) partition.end = Number(batch.highWatermark);
    if (partition?.add(batch.firstOffset(), batch.lastOffset(), batch.messages)) resolveOffset(batch.lastOffset());
    if (batch.offsetLag() === '0') await delay(END_PAUSE_MILLISECONDS);
  }

  /**
   * Records that the partitions are being read, with their offsets. Ends the consumer when it fetches nothing although
   * topics grow, or when a lane was added.
   */
  async #check(): Promise<void> {
    const { admin, consumer, lanes, watch } = this.#options;
    const assignments = this.#assignments;
    lanes.areCurrent().then(
      (areCurrent) => !areCurrent && this.#crashed.abort(new NewLaneError('A lane was added.')),
      () => {},
    );
    for (const partition of assignments.partitions) partition.compare('due');
    await watch.check(admin).catch((error: unknown) => {
      if (error instanceof TopicsChangedError) this.#crashed.abort(error);
    });
    const behind = await findBehind(admin, assignments.partitions).catch(() => null);
    if (this.#watchdog.isStalled(behind !== null && behind.length > 0 && !assignments.limit.isFull)) {
      await this.#crash(new Error('the consumer is fetching nothing although topics are growing'), behind ?? []);
    }
    const claims = assignments.partitions.flatMap(({ claim }) => claim ?? []);
    const hints = claims.map(({ topic, partition, nextOffset }) => ({ topic, partition, offset: String(nextOffset) }));
    // This is not awaited, because a client that hangs never responds.
    consumer.commitOffsets(hints).catch(() => {});
    // Heartbeats are skipped while the broker is unreachable, because no record can arrive then.
    if (behind !== null) await sendHeartbeats(lanes.pools, assignments.partitions);
    for (const partition of assignments.partitions) void partition.flush();
  }

  /** Returns the partitions that have more to read. The failed one, which the client does not report, is among them. */
  async #findFailed(): Promise<readonly Partition[]> {
    const failed = findBehind(this.#options.admin, this.#assignments.partitions).catch(() => []);
    return (await Promise.race([failed, delay(MAX_LOOKUP_MILLISECONDS, undefined, { ref: false })])) ?? [];
  }

  /** Ends the consumer. If an earlier consumer crashed at the same offset of a failed source, marks that source. */
  async #crash(error: unknown, failed: readonly Partition[]): Promise<void> {
    if (error instanceof NewLaneError) return this.#crashed.abort(error);
    const { crashedAt } = this.#options;
    const known = failed.filter((each) => offsetOf(each) !== undefined);
    const again = known.filter((each) => crashedAt.get(nameOf(each)) === offsetOf(each));
    for (const each of known) crashedAt.set(nameOf(each), offsetOf(each) ?? 0);
    const fault = `Ingest repeatedly fails to read this offset: ${messageOf(error)}`;
    for (const { source } of again) await source.markFault(fault, false).catch(() => {});
    this.#crashed.abort(error);
  }
}
