import { setTimeout as delay } from 'node:timers/promises';
import type { SourceBatch } from '@milepost/event-log/append';
import { FleetFencedError, fleetsOf, SourceFencedError } from '@milepost/event-log/fences';
import type { IncomingRecord } from '@milepost/event-log/prepare';
import {
  claimSource,
  clearSourceFault,
  type LastRecord,
  listStoppedSources,
  markSourceFault,
  type SourceClaim,
} from '@milepost/event-log/sources';
import type { Pool } from '@milepost/postgres';
import { inEachLane } from '@milepost/postgres/lanes';
import { type Logger, messageOf } from '@milepost/service';
import { groupByLane, type IngestLanes } from '../lanes.ts';
import type { JointAppender } from './joint-appender.ts';

/** If no other lane finishes within this time, the finished lanes continue without the remaining ones. */
const MAX_LANE_MILLISECONDS = 15_000;
/** The initial check interval for a missing lane. Failures double it, because each recovery rereads the partition. */
const RETURN_POLL_MILLISECONDS = 2_000;
const MAX_RETURN_POLL_MILLISECONDS = 120_000;
/** The initial check interval after a lane has refused a moving fleet. It is shorter, because moves end soon. */
const FENCE_POLL_MILLISECONDS = 500;
/** A lane without new records moves its offset after this many records for other lanes, or at the next heartbeat. */
const MAX_PENDING_RECORDS = 10_000;

/** A missing lane can continue, so the partition is read again from the lowest offset. */
export class LaneReturnedError extends Error {
  override name = 'LaneReturnedError';
}

/** The right to store the records of a partition, from `nextOffset` on, in all lanes that respond. */
export type PartitionClaim = Pick<SourceClaim, 'topic' | 'partition' | 'epoch' | 'nextOffset' | 'last' | 'stopped'>;

export interface SourceLanes extends IngestLanes {
  appenders: ReadonlyMap<number, Pick<JointAppender, 'append'>>;
  /** The latest work on each partition. Any new work on the partition waits for it, even in the next assignment. */
  turns: Map<string, Promise<unknown>>;
}

/** The records that belong to other lanes and were read after this lane's offset. */
type Pending = Required<Pick<SourceBatch, 'nextOffset' | 'elsewhere' | 'fleetsElsewhere' | 'known'>>;

interface Claimed {
  is: 'claimed';
  claim: SourceClaim;
  pending: Pending | null;
}

/** The source in one lane. */
interface LaneSource {
  readonly number: number;
  readonly pool: Pool;
  /**
   * A lane is unclaimed before the first claim, after a fence, and while a missing lane is claimed again. A missing
   * lane waits until it can continue.
   */
  state: Claimed | { is: 'unclaimed' | 'missing' };
  /** How many times the lane has failed since it last stored anything. */
  failures: number;
}

/**
 * A partition as a source in all lanes, each of which has its own row and offset. The partition is read from the lowest
 * offset, and each lane skips the records that it already has. A lane that fails, or that stops until an operator acts,
 * counts as missing, and the others continue. With one lane, every error affects the whole partition.
 */
export class Source {
  readonly #topic: string;
  readonly #partition: number;
  readonly #shared: SourceLanes;
  readonly #lanes: readonly LaneSource[];
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  readonly #onReturn: (error: LaneReturnedError) => void;
  /** The latest error from a lane that refused a moving fleet; null if no lane has refused a fleet since the claim. */
  #refusal: FleetFencedError | null = null;

  /** @param onReturn called when a missing lane can continue, which requires a new claim of the partition */
  constructor(
    { topic, partition }: Pick<SourceClaim, 'topic' | 'partition'>,
    lanes: SourceLanes,
    { logger, signal, onReturn }: { logger: Logger; signal: AbortSignal; onReturn: (error: LaneReturnedError) => void },
  ) {
    this.#topic = topic;
    this.#partition = partition;
    this.#shared = lanes;
    this.#lanes = [...lanes.pools].map(([number, pool]) => ({ number, pool, state: { is: 'unclaimed' }, failures: 0 }));
    this.#logger = logger;
    this.#signal = signal;
    this.#onReturn = onReturn;
  }

  /** Claims the partition in every lane that responds. Throws a lane's error when no lane responds. */
  async claim(): Promise<PartitionClaim> {
    return await this.#inTurn(async () => {
      // A claim after the end of the assignment would fence off the process that is now reading the partition.
      this.#signal.throwIfAborted();
      for (const lane of this.#lanes) if (lane.state.is === 'missing') lane.state = { is: 'unclaimed' };
      this.#refusal = null;
      const claims = new Map<LaneSource, SourceClaim>();
      await this.#everyLane(this.#lanes, async (lane) => {
        claims.set(lane, await claimSource(lane.pool, this.#topic, this.#partition));
      });
      const running = [...claims].filter(([, { stopped }]) => stopped === null);
      // If all lanes are stopped, they keep their claims, so that they continue when the broker has their topic again.
      const kept = new Map(running.length === 0 ? claims : running);
      for (const [lane, claim] of kept) lane.state = { is: 'claimed', claim, pending: null };
      for (const lane of claims.keys()) if (!kept.has(lane)) this.#miss(lane);
      return this.#lowest();
    });
  }

  /**
   * The lowest offset of the lanes is missing from the broker. Stops the lanes at this offset until an operator settles
   * the fault. Returns the claim of the other lanes. If there are no other lanes, returns null without making any
   * changes.
   */
  async stopLowest(fault: string): Promise<PartitionClaim | null> {
    return await this.#inTurn(async () => {
      const { nextOffset } = this.#lowest();
      const claimed = this.#claimed();
      const lowest = claimed.filter(({ state }) => state.claim.nextOffset === nextOffset);
      if (lowest.length === claimed.length) return null;
      for (const { lane, state } of lowest) {
        await markSourceFault(lane.pool, state.claim, fault, true);
        this.#miss(lane);
      }
      return this.#lowest();
    });
  }

  /** In every lane with a claim, stores why the partition cannot be read. */
  async markFault(fault: string, stopped: boolean): Promise<void> {
    await this.#inTurn(async () => {
      await Promise.all(
        this.#claimed().map(({ lane, state }) => markSourceFault(lane.pool, state.claim, fault, stopped)),
      );
    });
  }

  async clearFault(): Promise<void> {
    await this.#inTurn(async () => {
      const cleared = this.#claimed().map(async ({ lane, state }) => {
        await clearSourceFault(lane.pool, state.claim);
        state.claim = { ...state.claim, stopped: null };
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
   * Stores the next records from the partition, each in its fleet's lane, with one transaction per lane.
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
      for (const { lane, state } of claimed) {
        const from = state.pending?.nextOffset ?? state.claim.nextOffset;
        if (nextOffset <= from) continue;
        const isNew = ({ offset }: IncomingRecord) => offset >= from;
        const own = groups.get(lane.number)?.filter(isNew) ?? [];
        const others = [...groups].flatMap(([other, group]) => (other === lane.number ? [] : group.filter(isNew)));
        const { elsewhere = 0, fleetsElsewhere, known: earlier = null } = state.pending ?? {};
        state.pending = {
          nextOffset,
          elsewhere: elsewhere + others.length,
          fleetsElsewhere: fleetsOf(others).union(fleetsElsewhere ?? new Set()),
          known: known ?? earlier,
        };
        if (own.length === 0 && this.#lanes.length > 1 && state.pending.elsewhere < MAX_PENDING_RECORDS) continue;
        due.set(lane, own);
      }
      await this.#everyLane([...due.keys()], async (lane) => await this.#store(lane, due.get(lane) ?? []));
      return { ...this.#lowest(), nextOffset, last: known ?? this.#lowest().last };
    });
  }

  /** The claims by lane. */
  get claims(): ReadonlyMap<number, SourceClaim> {
    return new Map(this.#claimed().map(({ lane, state }) => [lane.number, state.claim]));
  }

  /** Moves the offsets of lanes that did not have records of their own. Throws the same errors as `append`. */
  async flush(): Promise<void> {
    if (this.#lanes.length === 1) return;
    await this.#inTurn(async () => {
      const skipping = this.#claimed().flatMap(({ lane, state }) => (state.pending === null ? [] : [lane]));
      await this.#everyLane(skipping, async (lane) => await this.#store(lane, []));
    });
  }

  /** Stores a lane's records and moves its offset. */
  async #store(lane: LaneSource, records: readonly IncomingRecord[]): Promise<void> {
    const { state } = lane;
    const appender = this.#shared.appenders.get(lane.number);
    if (state.is !== 'claimed' || !state.pending || !appender) return;
    const { claim } = await appender.append({ claim: state.claim, records, ...state.pending });
    // If the append took too long, the lane already counts as missing.
    if (lane.state !== state) return;
    lane.state = { is: 'claimed', claim, pending: null };
    lane.failures = 0;
  }

  /** Works on the lanes concurrently. A failed lane counts as missing; if no lane is left, throws the first error. */
  async #everyLane(lanes: readonly LaneSource[], work: (lane: LaneSource) => Promise<void>): Promise<void> {
    if (this.#lanes.length === 1) {
      for (const lane of lanes) await work(lane);
      return;
    }
    const { failures } = await inEachLane(lanes, MAX_LANE_MILLISECONDS, work, { restarts: true });
    const fenced = failures.find(({ error }) => error instanceof SourceFencedError);
    if (fenced) {
      // Another lane may have failed too, and heartbeats must not move its offset past records that it has not stored.
      for (const { lane } of this.#claimed()) lane.state = { is: 'unclaimed' };
      throw fenced.error;
    }
    for (const { lane, error } of failures) {
      const isFenced = error instanceof FleetFencedError;
      const delay_milliseconds = this.#miss(lane, isFenced ? FENCE_POLL_MILLISECONDS : RETURN_POLL_MILLISECONDS);
      const details = { lane: lane.number, reason: messageOf(error), delay_milliseconds };
      this.#logger.warn(details, 'A lane failed: the others continue.');
      if (isFenced) {
        this.#refusal = error;
        this.#shared.fleets.forget(error.fleetIds);
      }
    }
    if (failures[0] && this.#lanes.every(({ state }) => state.is === 'missing')) throw failures[0].error;
  }

  /** Marks a lane as missing and starts the checks for its return. Returns the time between two checks. */
  #miss(lane: LaneSource, firstMilliseconds = RETURN_POLL_MILLISECONDS): number {
    const milliseconds = Math.min(firstMilliseconds * 2 ** lane.failures, MAX_RETURN_POLL_MILLISECONDS);
    lane.failures += 1;
    lane.state = { is: 'missing' };
    void this.#awaitReturn(lane, milliseconds);
    return milliseconds;
  }

  /** Periodically checks whether a missing lane can continue. */
  async #awaitReturn(lane: LaneSource, milliseconds: number): Promise<void> {
    const { state } = lane;
    const isMissing = () => !this.#signal.aborted && lane.state === state;
    while (isMissing()) {
      await delay(milliseconds, undefined, { signal: this.#signal }).catch(() => {});
      const isReady = isMissing() && (await this.#isReady(lane));
      if (!isReady || !isMissing()) continue;
      this.#logger.info({ lane: lane.number }, 'A lane can continue: the partition is read again from its offset.');
      this.#onReturn(new LaneReturnedError('A lane can continue.'));
    }
  }

  /** Whether a lane responds and the source is not stopped in it. */
  async #isReady({ pool }: LaneSource): Promise<boolean> {
    const { results } = await inEachLane([pool], MAX_LANE_MILLISECONDS, listStoppedSources);
    return results[0]?.some(({ topic, partition }) => topic === this.#topic && partition === this.#partition) === false;
  }

  #claimed(): { lane: LaneSource; state: Claimed }[] {
    return this.#lanes.flatMap((lane) => (lane.state.is === 'claimed' ? [{ lane, state: lane.state }] : []));
  }

  #lowest(): PartitionClaim {
    const [lowest] = [...this.claims.values()].sort((one, other) => one.nextOffset - other.nextOffset);
    if (!lowest) throw new Error(`Partition ${this.#topic}/${this.#partition} is not claimed in any lane.`);
    return lowest;
  }

  /** Waits for earlier work on the partition, because heartbeats must not move an offset while a batch is stored. */
  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const name = `${this.#topic}/${this.#partition}`;
    const turn = (this.#shared.turns.get(name) ?? Promise.resolve()).then(work, work);
    this.#shared.turns.set(name, turn);
    return await turn;
  }
}
