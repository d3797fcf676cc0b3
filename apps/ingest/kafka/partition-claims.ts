import {
  claimSource,
  clearSourceFault,
  listStoppedSources,
  markSourceFault,
  type SourceClaim,
} from '@milepost/event-log';
import { type Pool, retryPassingFaults } from '@milepost/postgres';
import { type Logger, messageOf } from '@milepost/service';
import type { Admin, Consumer } from 'kafkajs';
import { SourceStoppedError } from './errors.ts';

export interface PartitionClaimsOptions {
  pool: Pool;
  admin: Pick<Admin, 'fetchTopicOffsets'>;
  consumer: Pick<Consumer, 'seek' | 'pause' | 'resume'>;
  logger: Logger;
  signal: AbortSignal;
}

/**
 * The partitions this process holds, each with its claim in the log. A claim is taken when the group assigns the
 * partition, dropped when anything about it is in doubt, and taken again from what the log says. Each claim taken moves
 * the consumer to the log's offset: the one committed at the broker is a hint, and belongs to another log when the
 * database is new. A partition that does not hold what comes next is stopped, and the others go on.
 */
export class PartitionClaims {
  readonly #pool: Pool;
  readonly #admin: PartitionClaimsOptions['admin'];
  readonly #consumer: PartitionClaimsOptions['consumer'];
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  readonly #claims = new Map<string, Promise<SourceClaim>>();
  readonly #sought = new WeakSet<SourceClaim>();
  readonly #stopped = new Map<string, SourceClaim>();

  constructor(options: PartitionClaimsOptions) {
    this.#pool = options.pool;
    this.#admin = options.admin;
    this.#consumer = options.consumer;
    this.#logger = options.logger;
    this.#signal = options.signal;
  }

  /** Forgets every claim and takes those of a new assignment at once, so that earlier owners are shut out early. */
  assign(assignment: Record<string, number[]>): void {
    this.#claims.clear();
    this.#stopped.clear();
    for (const [topic, partitions] of Object.entries(assignment)) {
      for (const partition of partitions) this.#begin(topic, partition);
    }
  }

  /** The claim on a partition, taken now if there is none. Throws SourceStoppedError, for which see `stop`. */
  async claim(topic: string, partition: number): Promise<SourceClaim> {
    const key = `${topic}/${partition}`;
    const held = this.#claims.get(key);
    if (held) return await held;
    const claim = this.#take(topic, partition);
    this.#claims.set(key, claim);
    claim.catch(() => {
      if (this.#claims.get(key) === claim) this.#claims.delete(key);
    });
    return await claim;
  }

  /** The claims held at this moment, without those still being taken in vain. */
  async held(): Promise<SourceClaim[]> {
    const settled = await Promise.allSettled(this.#claims.values());
    return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }

  /** Replaces a claim after an append has moved its offset. */
  update(claim: SourceClaim): void {
    this.#claims.set(`${claim.topic}/${claim.partition}`, Promise.resolve(claim));
  }

  /** Drops a claim that may no longer hold. */
  drop(topic: string, partition: number): void {
    this.#claims.delete(`${topic}/${partition}`);
  }

  /** Takes the claim's last record for the one that the broker has, which ends any fault. Returns the claim to go on with. */
  async confirm(claim: SourceClaim): Promise<SourceClaim> {
    await clearSourceFault(this.#pool, claim);
    const confirmed = { ...claim, confirmed: true, stopped: null };
    this.update(confirmed);
    return confirmed;
  }

  /** Fetches nothing from the partition any more, and says why for everybody to see. */
  async stop({ claim, message }: SourceStoppedError): Promise<void> {
    const { topic, partition } = claim;
    this.#consumer.pause([{ topic, partitions: [partition] }]);
    this.drop(topic, partition);
    this.#logger.error({ topic, partition, reason: message }, 'source stopped');
    await this.#retry(topic, partition, () => markSourceFault(this.#pool, [claim], message, true));
    this.#stopped.set(`${topic}/${partition}`, claim);
  }

  isStopped(topic: string, partition: number): boolean {
    return this.#stopped.has(`${topic}/${partition}`);
  }

  /** Goes on with the partitions that an operator has settled since they were stopped. */
  async resumeSettled(): Promise<void> {
    if (this.#stopped.size === 0) return;
    const stopped = await listStoppedSources(this.#pool);
    const open = new Set(stopped.map(({ topic, partition }) => `${topic}/${partition}`));
    for (const [key, { topic, partition }] of this.#stopped) {
      if (open.has(key)) continue;
      this.#stopped.delete(key);
      this.#begin(topic, partition);
    }
  }

  /** Has a claim's source fetched from its last record again, to be compared once more; false when that was done before. */
  seekAgain(claim: SourceClaim): boolean {
    if (this.#sought.has(claim)) return false;
    const doubted = { ...claim, confirmed: false };
    this.#sought.add(doubted);
    this.update(doubted);
    this.#seek(doubted);
    return true;
  }

  /** Where the broker's records of the claim's source begin. Throws SourceStoppedError when it lacks what comes next. */
  async checkHeld(claim: SourceClaim): Promise<number> {
    const offsets = await this.#admin.fetchTopicOffsets(claim.topic);
    const held = offsets.find(({ partition }) => partition === claim.partition);
    if (!held) return 0;
    const low = Number(held.low);
    const high = Number(held.high);
    if (claim.nextOffset < low || claim.nextOffset > high) throw SourceStoppedError.outOfRange(claim, low, high);
    return low;
  }

  /** What else goes wrong is met again by the next batch. */
  #begin(topic: string, partition: number): void {
    this.claim(topic, partition)
      .catch(async (error: unknown) => {
        if (error instanceof SourceStoppedError) await this.stop(error);
      })
      .catch((error: unknown) =>
        this.#logger.warn({ topic, partition, reason: messageOf(error) }, 'source not stopped'),
      );
  }

  async #take(topic: string, partition: number): Promise<SourceClaim> {
    const taken = await this.#retry(topic, partition, () => claimSource(this.#pool, topic, partition));
    const low = taken.nextOffset > 0 ? await this.checkHeld(taken) : 0;
    // Retention may take what was read. The records behind it are there, so no other topic can have taken its place.
    const claim = taken.last !== null && taken.last.offset < low ? { ...taken, last: null } : taken;
    if (claim.stopped !== null && claim.last === null) throw new SourceStoppedError(claim, claim.stopped);
    this.#seek(claim);
    this.#consumer.resume([{ topic, partitions: [partition] }]);
    this.#logger.info({ topic, partition, epoch: claim.epoch, next_offset: claim.nextOffset }, 'partition claimed');
    return claim;
  }

  #seek(claim: SourceClaim): void {
    const { topic, partition } = claim;
    this.#consumer.seek({ topic, partition, offset: String(startOf(claim)) });
  }

  async #retry<Result>(topic: string, partition: number, work: () => Promise<Result>): Promise<Result> {
    return await retryPassingFaults(work, {
      signal: this.#signal,
      onFault: (error) =>
        this.#logger.warn({ reason: messageOf(error), topic, partition }, 'database is away: claiming again'),
    });
  }
}

/** Where to fetch a claim's source from: its last record once more, until it was compared with what the broker holds. */
export function startOf({ last, confirmed, nextOffset }: SourceClaim): number {
  return confirmed ? nextOffset : (last?.offset ?? nextOffset);
}
