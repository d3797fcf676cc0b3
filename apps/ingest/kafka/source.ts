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
import { inEachLane } from '@milepost/postgres/lanes';
import { type Logger, messageOf } from '@milepost/service';
import { groupByLane, type IngestLanes, poolOf } from '../lanes.ts';
import type { JointAppender } from './joint-appender.ts';
import type { PartitionClaim } from './partition-claim.ts';

/**
 * If no lane ends within this time, the remaining ones are left behind, so that they do not delay the others. On a busy
 * machine, many lanes share few connections, and end one after another.
 */
const MAX_LANE_MILLISECONDS = 15_000;
/**
 * The first delay before the source checks whether a missing lane can continue. It doubles each time the lane fails
 * again, because each return reads the partition again from the offset of the lane.
 */
const RETURN_POLL_MILLISECONDS = 2_000;
const MAX_RETURN_POLL_MILLISECONDS = 120_000;
/**
 * The first delay before ingest tries a lane again that refused a moving fleet. The records wait only for the move.
 * This delay doubles too. A killed move holds the records until the move runs again, and the other lanes must get ahead
 * in the meantime.
 */
const FENCE_POLL_MILLISECONDS = 500;
/**
 * A lane without records of its own moves its offset after this many records of other lanes, or with the next
 * heartbeat.
 */
const MAX_PENDING_RECORDS = 10_000;

/** A lane that was missing can continue: the partition is read again, from the lowest offset. */
export class LaneReturnedError extends Error {
  override name = 'LaneReturnedError';
}

export interface SourceLanes extends IngestLanes {
  appenders: ReadonlyMap<number, Pick<JointAppender, 'append'>>;
  /**
   * The end of the latest work on each partition. Successive assignments share it: a late claim of an ended assignment
   * would fence the claim of the next one.
   */
  turns: Map<string, Promise<unknown>>;
}

/** The records after the offset of a lane that were read, and that belong to other lanes. */
interface Pending {
  nextOffset: number;
  elsewhere: number;
  /** The fleets of these records. */
  passed: ReadonlySet<string>;
  known: LastRecord | null;
}

/**
 * A partition as the source of all lanes. Each lane has its own row of the source, with its own offset. The partition is
 * read from the lowest one, and a lane skips the records that it already has. A lane that fails, or that an operator
 * must settle, is missing: its offset stays, and the other lanes continue. With one lane, every error concerns the
 * whole partition.
 */
export class Source {
  readonly #topic: string;
  readonly #partition: number;
  readonly #lanes: SourceLanes;
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  readonly #onReturn: (error: LaneReturnedError) => void;
  #claims = new Map<number, SourceClaim>();
  readonly #pending = new Map<number, Pending>();
  /** The missing lanes, each with a symbol that identifies the current wait for the lane. */
  readonly #missing = new Map<number, symbol>();
  /** The newest refusal of a moving fleet by a lane; null when no lane has refused one since the claim. */
  #refusal: FleetFencedError | null = null;
  /** How often each lane has failed since it last stored something. */
  readonly #failures = new Map<number, number>();

  /** @param onReturn called when a missing lane can continue; then the partition must be claimed again */
  constructor(
    { topic, partition }: Pick<SourceClaim, 'topic' | 'partition'>,
    lanes: SourceLanes,
    { logger, signal, onReturn }: { logger: Logger; signal: AbortSignal; onReturn: (error: LaneReturnedError) => void },
  ) {
    this.#topic = topic;
    this.#partition = partition;
    this.#lanes = lanes;
    this.#logger = logger;
    this.#signal = signal;
    this.#onReturn = onReturn;
  }

  /** Claims the partition in every lane that answers. Throws the error of a lane when none answers. */
  async claim(): Promise<PartitionClaim> {
    return await this.#inTurn(async () => {
      const claims = new Map<number, SourceClaim>();
      this.#pending.clear();
      this.#missing.clear();
      this.#refusal = null;
      await this.#everyLane([...this.#lanes.pools.keys()], async (lane) => {
        claims.set(lane, await claimSource(poolOf(this.#lanes, lane), this.#topic, this.#partition));
      });
      const running = [...claims].filter(([, { stopped }]) => stopped === null);
      // If all lanes are stopped, their claims are kept. The lanes continue when the broker holds their topic again.
      this.#claims = new Map(running.length === 0 ? claims : running);
      for (const lane of claims.keys()) if (!this.#claims.has(lane)) this.#miss(lane);
      return this.#lowest();
    });
  }

  /**
   * Stops the lanes with the lowest offset until an operator settles them, because the broker does not hold this
   * offset. Returns the claim of the other lanes; null when there is none: then nothing has changed.
   */
  async stopLowest(fault: string): Promise<PartitionClaim | null> {
    return await this.#inTurn(async () => {
      const { nextOffset } = this.#lowest();
      const lowest = [...this.#claims].filter(([, claim]) => claim.nextOffset === nextOffset);
      if (lowest.length === this.#claims.size) return null;
      for (const [lane, claim] of lowest) {
        await markSourceFault(poolOf(this.#lanes, lane), [claim], fault, true);
        this.#miss(lane);
      }
      return this.#lowest();
    });
  }

  /** Records why the partition cannot be read, in every lane whose claim holds. */
  async markFault(fault: string, stopped: boolean): Promise<void> {
    await this.#inTurn(async () => {
      const marked = [...this.#claims].map(
        async ([lane, claim]) => await markSourceFault(poolOf(this.#lanes, lane), [claim], fault, stopped),
      );
      await Promise.all(marked);
    });
  }

  async clearFault(): Promise<void> {
    await this.#inTurn(async () => {
      const cleared = [...this.#claims].map(async ([lane, claim]) => {
        await clearSourceFault(poolOf(this.#lanes, lane), claim);
        this.#claims.set(lane, { ...claim, stopped: null });
      });
      await Promise.all(cleared);
    });
  }

  /** Whether a lane is no longer stopped. */
  async isSettled(): Promise<boolean> {
    for (const lane of this.#lanes.pools.keys()) if (await this.#isReady(lane)) return true;
    return false;
  }

  /**
   * Stores records that continue the partition: each in the lane of its fleet, in one transaction per lane.
   *
   * @param known the record that identifies the topic from now on
   * @throws SourceFencedError when another process has claimed the partition in a lane
   */
  async append(
    records: readonly IncomingRecord[],
    nextOffset: number,
    known: LastRecord | null,
  ): Promise<PartitionClaim> {
    const groups = await groupByLane(this.#lanes, records);
    return await this.#inTurn(async () => {
      if (this.#claims.size === 0)
        throw this.#refusal ?? new SourceFencedError('Every lane has failed since the partition was claimed.');
      const due = new Map<number, IncomingRecord[]>();
      for (const [lane, claim] of this.#claims) {
        const from = this.#pending.get(lane)?.nextOffset ?? claim.nextOffset;
        if (nextOffset <= from) continue;
        const isNew = ({ offset }: IncomingRecord) => offset >= from;
        const own = groups.get(lane)?.filter(isNew) ?? [];
        const others = [...groups].flatMap(([other, group]) => (other === lane ? [] : group.filter(isNew)));
        const pending = this.#pend(lane, nextOffset, others, known);
        if (own.length === 0 && this.#lanes.pools.size > 1 && pending.elsewhere < MAX_PENDING_RECORDS) continue;
        due.set(lane, own);
      }
      await this.#everyLane([...due.keys()], async (lane) => await this.#store(lane, due.get(lane) ?? []));
      return { ...this.#lowest(), nextOffset, last: known ?? this.#lowest().last };
    });
  }

  /** The claims by lane. */
  get claims(): ReadonlyMap<number, SourceClaim> {
    return this.#claims;
  }

  /**
   * Moves the offsets of lanes that had no records of their own.
   *
   * @throws SourceFencedError when another process has claimed the partition in a lane
   */
  async flush(): Promise<void> {
    if (this.#pending.size === 0 || this.#lanes.pools.size === 1) return;
    await this.#inTurn(async () => {
      await this.#everyLane([...this.#pending.keys()], async (lane) => await this.#store(lane, []));
    });
  }

  /** Stores the records of a lane, and moves its offset. */
  async #store(lane: number, records: readonly IncomingRecord[]): Promise<void> {
    const [claim, pending, appender] = [
      this.#claims.get(lane),
      this.#pending.get(lane),
      this.#lanes.appenders.get(lane),
    ];
    if (!claim || !pending || !appender) return;
    const appended = await appender.append({ claim, records, ...pending });
    // The lane may be missing by now, because it took too long.
    if (this.#claims.get(lane) !== claim) return;
    this.#claims.set(lane, appended.claim);
    this.#pending.delete(lane);
    this.#failures.delete(lane);
  }

  #pend(lane: number, nextOffset: number, others: readonly IncomingRecord[], known: LastRecord | null): Pending {
    const before = this.#pending.get(lane);
    const pending = {
      nextOffset,
      elsewhere: (before?.elsewhere ?? 0) + others.length,
      passed: fleetsOf(others).union(before?.passed ?? new Set<string>()),
      known: known ?? before?.known ?? null,
    };
    this.#pending.set(lane, pending);
    return pending;
  }

  /**
   * Works on lanes concurrently. A lane that fails counts as missing if another lane continues. Otherwise, the error of
   * the lane is thrown.
   */
  async #everyLane(lanes: readonly number[], work: (lane: number) => Promise<void>): Promise<void> {
    if (this.#lanes.pools.size === 1) {
      for (const lane of lanes) await work(lane);
      return;
    }
    const { failures } = await inEachLane(lanes, MAX_LANE_MILLISECONDS, work, { restarts: true });
    const fenced = failures.find(({ error }) => error instanceof SourceFencedError);
    if (fenced) {
      // Another lane may have failed as well. A heartbeat must not move its offset past its own records until the next
      // claim.
      this.#claims.clear();
      this.#pending.clear();
      throw fenced.error;
    }
    for (const { lane, error } of failures) {
      const isFenced = error instanceof FleetFencedError;
      const delay_milliseconds = this.#miss(lane, isFenced ? FENCE_POLL_MILLISECONDS : RETURN_POLL_MILLISECONDS);
      this.#logger.warn({ lane, reason: messageOf(error), delay_milliseconds }, 'a lane failed: the others continue');
      if (isFenced) {
        this.#refusal = error;
        this.#lanes.fleets.forget(error.fleetIds);
      }
    }
    if (this.#missing.size === this.#lanes.pools.size && failures[0]) throw failures[0].error;
  }

  /** Continues without a lane until it answers and is not stopped. Returns the time between two checks. */
  #miss(lane: number, firstMilliseconds = RETURN_POLL_MILLISECONDS): number {
    const failures = (this.#failures.get(lane) ?? 0) + 1;
    const milliseconds = Math.min(firstMilliseconds * 2 ** (failures - 1), MAX_RETURN_POLL_MILLISECONDS);
    const wait = Symbol();
    this.#failures.set(lane, failures);
    this.#claims.delete(lane);
    this.#pending.delete(lane);
    this.#missing.set(lane, wait);
    void this.#awaitReturn(lane, wait, milliseconds);
    return milliseconds;
  }

  /** Checks at intervals whether a missing lane can continue. */
  async #awaitReturn(lane: number, wait: symbol, milliseconds: number): Promise<void> {
    const isMissing = () => !this.#signal.aborted && this.#missing.get(lane) === wait;
    while (isMissing()) {
      await delay(milliseconds, undefined, { signal: this.#signal }).catch(() => {});
      const isReady = isMissing() && (await this.#isReady(lane));
      if (!isReady || !isMissing()) continue;
      this.#logger.info({ lane }, 'a lane can continue: the partition is read again from its offset');
      this.#onReturn(new LaneReturnedError('A lane can continue.'));
    }
  }

  /** Whether a lane answers and has not stopped the source. */
  async #isReady(lane: number): Promise<boolean> {
    const { results } = await inEachLane([poolOf(this.#lanes, lane)], MAX_LANE_MILLISECONDS, listStoppedSources);
    return results[0]?.some(({ topic, partition }) => topic === this.#topic && partition === this.#partition) === false;
  }

  #lowest(): PartitionClaim {
    const [first, ...others] = this.#claims.values();
    if (!first) throw new Error(`The partition ${this.#topic}/${this.#partition} is claimed in no lane.`);
    return others.reduce((lowest, claim) => (claim.nextOffset < lowest.nextOffset ? claim : lowest), first);
  }

  /** A heartbeat must not move an offset while a batch is stored. */
  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const name = `${this.#topic}/${this.#partition}`;
    const turn = (this.#lanes.turns.get(name) ?? Promise.resolve()).then(work, work);
    this.#lanes.turns.set(name, turn);
    return await turn;
  }
}
