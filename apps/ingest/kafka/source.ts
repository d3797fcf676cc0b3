import { setTimeout as delay } from 'node:timers/promises';
import {
  claimSource,
  clearSourceFault,
  FleetFencedError,
  fleetsOf,
  type IncomingRecord,
  type LastRecord,
  listStoppedSources,
  markSourceFault,
  type SourceClaim,
  SourceFencedError,
} from '@milepost/event-log';
import type { Pool } from '@milepost/postgres';
import { inEachLane } from '@milepost/postgres/lanes';
import { type Logger, messageOf } from '@milepost/service';
import { groupByLane, type IngestLanes } from '../lanes.ts';
import type { JointAppender } from './joint-appender.ts';
import type { PartitionClaim } from './partition-claim.ts';

/**
 * If no further lane finishes within this time, the remaining ones are left behind, so that they do not delay the
 * others. On a busy machine, many lanes share few connections and finish one after another.
 */
const MAX_LANE_MILLISECONDS = 15_000;
/**
 * The first delay before the source checks whether a missing lane can continue. It doubles each time the lane fails
 * again, because every return of the lane makes ingest read the partition again from the lane's offset.
 */
const RETURN_POLL_MILLISECONDS = 2_000;
const MAX_RETURN_POLL_MILLISECONDS = 120_000;
/**
 * The first delay before ingest retries a lane that refused a moving fleet. It is short, because the records wait only
 * for the move. It doubles too, because a killed move holds back the records until it runs again, and the other lanes
 * must make progress in the meantime.
 */
const FENCE_POLL_MILLISECONDS = 500;
/**
 * A lane without its own records moves its offset after this many records of other lanes, or with the next heartbeat.
 */
const MAX_PENDING_RECORDS = 10_000;

/** A missing lane can continue, so the partition is read again from the lowest offset. */
export class LaneReturnedError extends Error {
  override name = 'LaneReturnedError';
}

export interface SourceLanes extends IngestLanes {
  appenders: ReadonlyMap<number, Pick<JointAppender, 'append'>>;
  /**
   * The latest work on each partition, for which the next work waits. Successive assignments share it, because a late
   * claim by an ended assignment would fence off the next one.
   */
  turns: Map<string, Promise<unknown>>;
}

/** The records that were read after a lane's offset but belong to other lanes. */
interface Pending {
  nextOffset: number;
  elsewhere: number;
  /** The fleets of these records. */
  passed: ReadonlySet<string>;
  known: LastRecord | null;
}

/** The source in one lane. It has a claim or is missing. Before the first claim and after a fence, neither is true. */
interface LaneSource {
  readonly number: number;
  readonly pool: Pool;
  claim: SourceClaim | null;
  pending: Pending | null;
  /** Identifies the current wait for a missing lane. */
  wait: symbol | null;
  /** How often the lane has failed since it last stored something. */
  failures: number;
}

/**
 * A partition as the source of all lanes. Each lane has its own row for the source, with its own offset. The partition
 * is read from the lowest offset, and each lane skips the records that it already has. A lane that fails, or that an
 * operator must settle, counts as missing, so its offset stays while the other lanes continue. With one lane, every
 * error concerns the whole partition.
 */
export class Source {
  readonly #topic: string;
  readonly #partition: number;
  readonly #shared: SourceLanes;
  readonly #lanes: readonly LaneSource[];
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  readonly #onReturn: (error: LaneReturnedError) => void;
  /** The newest error of a lane that refused a moving fleet; null when no lane has refused one since the claim. */
  #refusal: FleetFencedError | null = null;

  /** @param onReturn called when a missing lane can continue, so that the partition must be claimed again */
  constructor(
    { topic, partition }: Pick<SourceClaim, 'topic' | 'partition'>,
    lanes: SourceLanes,
    { logger, signal, onReturn }: { logger: Logger; signal: AbortSignal; onReturn: (error: LaneReturnedError) => void },
  ) {
    this.#topic = topic;
    this.#partition = partition;
    this.#shared = lanes;
    const none = { claim: null, pending: null, wait: null, failures: 0 };
    this.#lanes = Array.from(lanes.pools, ([number, pool]) => ({ number, pool, ...none }));
    this.#logger = logger;
    this.#signal = signal;
    this.#onReturn = onReturn;
  }

  /** Claims the partition in every lane that responds. Throws a lane's error when none does. */
  async claim(): Promise<PartitionClaim> {
    return await this.#inTurn(async () => {
      for (const lane of this.#lanes) {
        lane.pending = null;
        lane.wait = null;
      }
      this.#refusal = null;
      const claims = new Map<LaneSource, SourceClaim>();
      await this.#everyLane(this.#lanes, async (lane) => {
        claims.set(lane, await claimSource(lane.pool, this.#topic, this.#partition));
      });
      const running = [...claims].filter(([, { stopped }]) => stopped === null);
      // If all lanes are stopped, their claims are kept, because the lanes continue when the broker has their topic
      // again.
      const kept = new Map(running.length === 0 ? claims : running);
      for (const lane of this.#lanes) lane.claim = kept.get(lane) ?? null;
      for (const lane of claims.keys()) if (!kept.has(lane)) this.#miss(lane);
      return this.#lowest();
    });
  }

  /**
   * Stops the lanes with the lowest offset until an operator settles them, because the broker does not have this
   * offset. Returns the claim of the other lanes. If there are no others, changes nothing and returns null.
   */
  async stopLowest(fault: string): Promise<PartitionClaim | null> {
    return await this.#inTurn(async () => {
      const { nextOffset } = this.#lowest();
      const claimed = this.#claimed();
      const lowest = claimed.filter(({ claim }) => claim.nextOffset === nextOffset);
      if (lowest.length === claimed.length) return null;
      for (const { lane, claim } of lowest) {
        await markSourceFault(lane.pool, [claim], fault, true);
        this.#miss(lane);
      }
      return this.#lowest();
    });
  }

  /** Records why the partition cannot be read, in every lane with a claim. */
  async markFault(fault: string, stopped: boolean): Promise<void> {
    await this.#inTurn(async () => {
      const marked = this.#claimed().map(
        async ({ lane, claim }) => await markSourceFault(lane.pool, [claim], fault, stopped),
      );
      await Promise.all(marked);
    });
  }

  async clearFault(): Promise<void> {
    await this.#inTurn(async () => {
      const cleared = this.#claimed().map(async ({ lane, claim }) => {
        await clearSourceFault(lane.pool, claim);
        lane.claim = { ...claim, stopped: null };
      });
      await Promise.all(cleared);
    });
  }

  /** Whether a lane is no longer stopped. */
  async isSettled(): Promise<boolean> {
    for (const lane of this.#lanes) if (await this.#isReady(lane)) return true;
    return false;
  }

  /**
   * Stores the next records of the partition, each in the lane of its fleet, with one transaction per lane.
   *
   * @param known the record that identifies the topic from now on
   * @throws SourceFencedError when another process has claimed the partition in a lane
   */
  async append(
    records: readonly IncomingRecord[],
    nextOffset: number,
    known: LastRecord | null,
  ): Promise<PartitionClaim> {
    const groups = await groupByLane(this.#shared, records);
    return await this.#inTurn(async () => {
      const claimed = this.#claimed();
      if (claimed.length === 0)
        throw this.#refusal ?? new SourceFencedError('Every lane has failed since the partition was claimed.');
      const due = new Map<LaneSource, IncomingRecord[]>();
      for (const { lane, claim } of claimed) {
        const from = lane.pending?.nextOffset ?? claim.nextOffset;
        if (nextOffset <= from) continue;
        const isNew = ({ offset }: IncomingRecord) => offset >= from;
        const own = groups.get(lane.number)?.filter(isNew) ?? [];
        const others = [...groups].flatMap(([other, group]) => (other === lane.number ? [] : group.filter(isNew)));
        lane.pending = pendingAfter(lane.pending, nextOffset, others, known);
        if (own.length === 0 && this.#lanes.length > 1 && lane.pending.elsewhere < MAX_PENDING_RECORDS) continue;
        due.set(lane, own);
      }
      await this.#everyLane([...due.keys()], async (lane) => await this.#store(lane, due.get(lane) ?? []));
      return { ...this.#lowest(), nextOffset, last: known ?? this.#lowest().last };
    });
  }

  /** The claims by lane. */
  get claims(): ReadonlyMap<number, SourceClaim> {
    return new Map(this.#claimed().map(({ lane, claim }) => [lane.number, claim]));
  }

  /**
   * Moves the offsets of lanes that had no records of their own.
   *
   * @throws SourceFencedError when another process has claimed the partition in a lane
   */
  async flush(): Promise<void> {
    const isPending = ({ pending }: LaneSource) => pending !== null;
    if (!this.#lanes.some(isPending) || this.#lanes.length === 1) return;
    await this.#inTurn(async () => {
      await this.#everyLane(this.#lanes.filter(isPending), async (lane) => await this.#store(lane, []));
    });
  }

  /** Stores a lane's records and moves its offset. */
  async #store(lane: LaneSource, records: readonly IncomingRecord[]): Promise<void> {
    const { claim, pending } = lane;
    const appender = this.#shared.appenders.get(lane.number);
    if (!claim || !pending || !appender) return;
    const appended = await appender.append({ claim, records, ...pending });
    // The lane may be missing by now, because it took too long.
    if (lane.claim !== claim) return;
    lane.claim = appended.claim;
    lane.pending = null;
    lane.failures = 0;
  }

  /**
   * Works on lanes concurrently. A failed lane counts as missing if another lane continues; otherwise, its error is
   * thrown.
   */
  async #everyLane(lanes: readonly LaneSource[], work: (lane: LaneSource) => Promise<void>): Promise<void> {
    if (this.#lanes.length === 1) {
      for (const lane of lanes) await work(lane);
      return;
    }
    const { failures } = await inEachLane(lanes, MAX_LANE_MILLISECONDS, work, { restarts: true });
    const fenced = failures.find(({ error }) => error instanceof SourceFencedError);
    if (fenced) {
      // Another lane may have failed as well, and until the next claim, a heartbeat must not move that lane's offset
      // past its own records.
      for (const lane of this.#lanes) lane.claim = lane.pending = null;
      throw fenced.error;
    }
    for (const { lane, error } of failures) {
      const isFenced = error instanceof FleetFencedError;
      const delay_milliseconds = this.#miss(lane, isFenced ? FENCE_POLL_MILLISECONDS : RETURN_POLL_MILLISECONDS);
      const details = { lane: lane.number, reason: messageOf(error), delay_milliseconds };
      this.#logger.warn(details, 'a lane failed: the others continue');
      if (isFenced) {
        this.#refusal = error;
        this.#shared.fleets.forget(error.fleetIds);
      }
    }
    if (failures[0] && this.#lanes.every(({ wait }) => wait !== null)) throw failures[0].error;
  }

  /** Continues without a lane until it responds and is not stopped. Returns the time between two checks. */
  #miss(lane: LaneSource, firstMilliseconds = RETURN_POLL_MILLISECONDS): number {
    const milliseconds = Math.min(firstMilliseconds * 2 ** lane.failures, MAX_RETURN_POLL_MILLISECONDS);
    const wait = Symbol();
    lane.failures += 1;
    lane.claim = null;
    lane.pending = null;
    lane.wait = wait;
    void this.#awaitReturn(lane, wait, milliseconds);
    return milliseconds;
  }

  /** Checks at intervals whether a missing lane can continue. */
  async #awaitReturn(lane: LaneSource, wait: symbol, milliseconds: number): Promise<void> {
    const isMissing = () => !this.#signal.aborted && lane.wait === wait;
    while (isMissing()) {
      await delay(milliseconds, undefined, { signal: this.#signal }).catch(() => {});
      const isReady = isMissing() && (await this.#isReady(lane));
      if (!isReady || !isMissing()) continue;
      this.#logger.info({ lane: lane.number }, 'a lane can continue: the partition is read again from its offset');
      this.#onReturn(new LaneReturnedError('A lane can continue.'));
    }
  }

  /** Whether a lane responds and has not stopped the source. */
  async #isReady({ pool }: LaneSource): Promise<boolean> {
    const { results } = await inEachLane([pool], MAX_LANE_MILLISECONDS, listStoppedSources);
    return results[0]?.some(({ topic, partition }) => topic === this.#topic && partition === this.#partition) === false;
  }

  #claimed(): { lane: LaneSource; claim: SourceClaim }[] {
    return this.#lanes.flatMap((lane) => (lane.claim === null ? [] : [{ lane, claim: lane.claim }]));
  }

  #lowest(): PartitionClaim {
    const [first, ...others] = this.claims.values();
    if (!first) throw new Error(`The partition ${this.#topic}/${this.#partition} is claimed in no lane.`);
    return others.reduce((lowest, claim) => (claim.nextOffset < lowest.nextOffset ? claim : lowest), first);
  }

  /**
   * Waits for earlier work on the partition, because a heartbeat must not move an offset while a batch is being stored.
   */
  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const name = `${this.#topic}/${this.#partition}`;
    const turn = (this.#shared.turns.get(name) ?? Promise.resolve()).then(work, work);
    this.#shared.turns.set(name, turn);
    return await turn;
  }
}

function pendingAfter(
  before: Pending | null,
  nextOffset: number,
  others: readonly IncomingRecord[],
  known: LastRecord | null,
): Pending {
  return {
    nextOffset,
    elsewhere: (before?.elsewhere ?? 0) + others.length,
    passed: fleetsOf(others).union(before?.passed ?? new Set<string>()),
    known: known ?? before?.known ?? null,
  };
}
