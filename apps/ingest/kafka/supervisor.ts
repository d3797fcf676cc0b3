import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { recordHeartbeats } from '@milepost/event-log/sources';
import { deniedTopicOf } from '@milepost/kafka/fetch-errors';
import { recordsOf } from '@milepost/kafka/record-batch';
import type { Pool } from '@milepost/postgres';
import { messageOf } from '@milepost/service';
import type { Admin, Consumer, EachBatchPayload } from 'kafkajs';
import { NewLaneError } from '../lanes.ts';
import { FetchLimit } from './fetch-queue.ts';
import { Partition, type PartitionOptions } from './partition.ts';
import { type Fetched, SourceStoppedError } from './topic-identity.ts';
import { TopicsChangedError, type TopicWatch } from './topic-watch.ts';

/** The pause between fetches at the end of a partition. Without this pause, each record would be fetched separately. */
const END_PAUSE_MILLISECONDS = 20;
/** If a fetch contains records of more partitions, the others wait until one of these has been handled. */
const PARTITIONS_AT_ONCE = 64;
const CHECK_MILLISECONDS = 5_000;
/** A consumer that does not fetch anything for this long, although records are available, is replaced. */
const STALL_MILLISECONDS = 30_000;
/** The maximum wait for a broker or a lane. An unresponsive broker or lane must not delay anything else. */
const MAX_WAIT_MILLISECONDS = 5_000;

export interface SupervisorOptions extends Omit<PartitionOptions, 'limit' | 'admin'> {
  admin: Admin;
  consumer: Consumer;
  watch: TopicWatch;
  /** The offsets at which an earlier consumer crashed, by topic and partition. */
  crashedAt: Map<string, number>;
  /** Called each time the brokers have responded to a fetch. */
  onFetched: () => void;
}

/**
 * Returns what the client has fetched. Its types say string, but offsets from our decoder are numbers. `first` is null
 * when the fetch contains neither a record nor a control record at the requested offset or after it.
 */
function fetchedOf(first: string | null, last: string, messages: readonly object[]): Fetched {
  return { first: first === null ? null : Number(first), end: Number(last) + 1, records: recordsOf(messages) };
}

const nameOf = ({ topic, partition }: Partition) => `${topic}/${partition}`;

/** Runs a consumer until the signal aborts, or until another consumer must replace it. */
export class ConsumerSupervisor {
  readonly #options: SupervisorOptions;
  readonly #crashed = new AbortController();
  readonly #ending: AbortSignal;
  /** The partitions that the group assigns to this process. */
  #partitions: readonly Partition[] = [];
  #limit: FetchLimit;
  #assignment = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  /** When the consumer was last known to be alive, or last had nothing to fetch. */
  #aliveAt = performance.now();
  /** Whether the client is sending a request to the brokers for the current fetch. */
  #isAsking = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#ending = AbortSignal.any([options.signal, this.#crashed.signal]);
    this.#limit = this.#newLimit();
  }

  /** Reads until the signal aborts, or until the consumer ends for a different reason, which is returned. */
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

  /** Ends the assignment. Resolves when all partitions have stopped, including those from earlier assignments. */
  async end(): Promise<void> {
    this.#assignment.abort();
    await this.#running;
  }

  #newLimit(): FetchLimit {
    return new FetchLimit(this.#options.consumer, () => this.#options.metrics?.pauses.inc());
  }

  /** Ends the previous assignment and starts to read the new one. */
  #assign(memberAssignment: Record<string, number[]>): void {
    const { consumer } = this.#options;
    this.#assignment.abort();
    this.#assignment = new AbortController();
    this.#limit = this.#newLimit();
    const signal = AbortSignal.any([this.#ending, this.#assignment.signal]);
    const options = { ...this.#options, limit: this.#limit, signal };
    this.#partitions = Object.entries(memberAssignment).flatMap(([topic, numbers]) => {
      // Each partition is paused until it is claimed, because the claim determines the offset.
      consumer.pause([{ topic, partitions: numbers }]);
      return numbers.map((number) => new Partition(topic, number, options));
    });
    const run = async (partition: Partition) =>
      await partition.run().catch(async (error: unknown) => await this.#crash(error, [partition]));
    // The next consumer must not claim a partition while an ended assignment is still claiming it.
    this.#running = Promise.all([this.#running, ...this.#partitions.map(run)]);
  }

  #find(topic: string, number: number): Partition | undefined {
    return this.#partitions.find((candidate) => candidate.topic === topic && candidate.partition === number);
  }

  #listen(): void {
    const { consumer, metrics, watch, onFetched } = this.#options;
    metrics?.readAssignment(
      () => this.#partitions,
      () => this.#limit.bytes,
    );
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      metrics?.rebalances.inc();
      this.#aliveAt = performance.now();
      this.#assign(payload.memberAssignment);
      void watch.report();
    });
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
      this.#aliveAt = performance.now();
      // The batch contains only control records and aborted records, which the client does not pass on.
      if (payload.batchSize > 0) return;
      this.#find(payload.topic, payload.partition)?.add(fetchedOf(payload.firstOffset, payload.lastOffset, []));
    });
    // While all partitions are paused, the client does not send requests but still emits the event FETCH.
    consumer.on(consumer.events.FETCH_START, () => {
      this.#isAsking = this.#partitions.some(({ claim }) => claim !== null);
    });
    consumer.on(consumer.events.FETCH, ({ payload }) => {
      metrics?.countStep('read', payload.duration);
      if (this.#isAsking) onFetched();
    });
    // The client requests the topics' metadata after each failed fetch, and then continues at the same offset.
    consumer.on(consumer.events.REQUEST, ({ payload }) => {
      if (payload.apiName === 'Metadata') for (const partition of this.#partitions) partition.compare('now');
    });
    consumer.on(consumer.events.CRASH, async ({ payload: { error } }) => {
      const denied = deniedTopicOf(error);
      if (denied === null) return await this.#crash(error, await this.#findFailed());
      watch.deny(denied);
      this.#crashed.abort(new TopicsChangedError(messageOf(error)));
    });
  }

  async #take({ batch, isStale, resolveOffset }: EachBatchPayload): Promise<void> {
    const partition = isStale() ? undefined : this.#find(batch.topic, batch.partition);
    if (partition) partition.end = Number(batch.highWatermark);
    if (partition?.add(fetchedOf(batch.firstOffset(), batch.lastOffset(), batch.messages))) {
      resolveOffset(batch.lastOffset());
    }
    if (batch.offsetLag() === '0') await delay(END_PAUSE_MILLISECONDS);
  }

  /**
   * Reports the partitions that are being read and their offsets. Ends the consumer when it does not fetch anything
   * although topics are growing, or when a lane has been added.
   */
  async #check(): Promise<void> {
    const { admin, consumer, lanes, watch } = this.#options;
    lanes.areCurrent().then(
      (areCurrent) => !areCurrent && this.#crashed.abort(new NewLaneError('A lane has been added.')),
      () => {},
    );
    for (const partition of this.#partitions) partition.compare('due');
    await watch.check(admin).catch((error: unknown) => {
      if (error instanceof TopicsChangedError) this.#crashed.abort(error);
    });
    const behind = await findBehind(admin, this.#partitions).catch(() => null);
    if (behind === null || behind.length === 0 || this.#limit.isFull) this.#aliveAt = performance.now();
    if (performance.now() - this.#aliveAt >= STALL_MILLISECONDS) {
      await this.#crash(new Error('the consumer is fetching nothing although topics are growing'), behind ?? []);
    }
    const claims = this.#partitions.flatMap(({ claim }) => claim ?? []);
    const hints = claims.map(({ topic, partition, nextOffset }) => ({ topic, partition, offset: String(nextOffset) }));
    // The promise is not awaited, because a client that hangs never responds.
    consumer.commitOffsets(hints).catch(() => {});
    // Heartbeats are skipped while the broker is unreachable, because records cannot arrive in the meantime.
    if (behind !== null) await sendHeartbeats(lanes.pools, this.#partitions);
    for (const partition of this.#partitions) void partition.flush();
  }

  /** Returns the partitions that have more to read, including the failed one, which the client does not report. */
  async #findFailed(): Promise<readonly Partition[]> {
    const failed = findBehind(this.#options.admin, this.#partitions).catch(() => []);
    return (await Promise.race([failed, delay(MAX_WAIT_MILLISECONDS, undefined, { ref: false })])) ?? [];
  }

  /** Ends the consumer. If an earlier one crashed at the same offset of a source, stores this as the source's fault. */
  async #crash(error: unknown, failed: readonly Partition[]): Promise<void> {
    if (error instanceof NewLaneError) return this.#crashed.abort(error);
    const { crashedAt } = this.#options;
    const again = failed.filter((each) => each.nextOffset !== null && crashedAt.get(nameOf(each)) === each.nextOffset);
    for (const each of failed) if (each.nextOffset !== null) crashedAt.set(nameOf(each), each.nextOffset);
    const fault = `Ingest repeatedly fails to read this offset: ${messageOf(error)}`;
    for (const { source } of again) await source.markFault(fault, false).catch(() => {});
    this.#crashed.abort(error);
  }
}

/**
 * Returns the partitions with offsets that have not been fetched yet. If a partition ends before the offsets already
 * read, its topic was created again. Such a partition is stopped at once, because the topic may soon grow past these
 * offsets.
 */
async function findBehind(admin: Admin, partitions: readonly Partition[]): Promise<Partition[]> {
  const behind: Partition[] = [];
  const read = partitions.filter(({ claim }) => claim !== null);
  for (const topic of new Set(read.map((partition) => partition.topic))) {
    const offsets = new Map((await admin.fetchTopicOffsets(topic)).map((held) => [held.partition, held]));
    for (const partition of read.filter((each) => each.topic === topic)) {
      const { claim } = partition;
      const held = offsets.get(partition.partition);
      if (!held || !claim) continue;
      partition.end = Number(held.high);
      if (partition.end < claim.nextOffset) {
        partition.fail(SourceStoppedError.outOfRange(claim, Number(held.low), partition.end));
      } else if (partition.end > partition.fetchedTo) behind.push(partition);
    }
  }
  return behind;
}

/** Reports to each lane that its partitions are being read. Ignores errors, because another heartbeat will follow. */
async function sendHeartbeats(pools: ReadonlyMap<number, Pool>, partitions: readonly Partition[]): Promise<void> {
  const read = partitions.filter(({ claim }) => claim !== null);
  const sent = Array.from(pools, async ([lane, pool]) => {
    const claims = read.flatMap(({ source }) => source.claims.get(lane) ?? []);
    await recordHeartbeats(pool, claims).catch(() => {});
  });
  await Promise.race([Promise.all(sent), delay(MAX_WAIT_MILLISECONDS, undefined, { ref: false })]);
}
