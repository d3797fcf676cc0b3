import { claimSource, type SourceClaim } from '@milepost/event-log';
import { type Pool, retryPassingFaults } from '@milepost/postgres';
import { type Logger, messageOf } from '@milepost/service';
import type { Admin } from 'kafkajs';
import { SourceGapError } from './errors.ts';

export interface PartitionClaimsOptions {
  pool: Pool;
  admin: Admin;
  logger: Logger;
  signal: AbortSignal;
  /** Moves the consumer to where the log goes on. */
  seek: (claim: SourceClaim) => void;
  /** Told when an assigned partition no longer holds what comes next: no batch may ever come to tell it. */
  onGap: (error: SourceGapError) => void;
}

/**
 * The partitions this process holds, each with its claim in the log. A claim is taken when the group assigns the
 * partition, dropped when anything about it is in doubt, and taken again from what the log says. Each claim taken moves
 * the consumer to the log's offset: the one committed at the broker is a hint, and belongs to another log when the
 * database is new.
 */
export class PartitionClaims {
  readonly #pool: Pool;
  readonly #admin: Admin;
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  readonly #seek: (claim: SourceClaim) => void;
  readonly #onGap: (error: SourceGapError) => void;
  readonly #claims = new Map<string, Promise<SourceClaim>>();
  readonly #sought = new WeakSet<SourceClaim>();

  constructor(options: PartitionClaimsOptions) {
    this.#pool = options.pool;
    this.#admin = options.admin;
    this.#logger = options.logger;
    this.#signal = options.signal;
    this.#seek = options.seek;
    this.#onGap = options.onGap;
  }

  /** Forgets every claim and takes those of a new assignment at once, so that earlier owners are shut out early. */
  assign(assignment: Record<string, number[]>): void {
    this.#claims.clear();
    for (const [topic, partitions] of Object.entries(assignment)) {
      for (const partition of partitions) {
        this.claim(topic, partition).catch((error: unknown) => {
          if (error instanceof SourceGapError) this.#onGap(error);
        });
      }
    }
  }

  /** The claim on a partition, taken now if there is none. Throws SourceGapError. */
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

  async #take(topic: string, partition: number): Promise<SourceClaim> {
    const claim = await retryPassingFaults(() => claimSource(this.#pool, topic, partition), {
      signal: this.#signal,
      onFault: (error) =>
        this.#logger.warn({ reason: messageOf(error), topic, partition }, 'database is away: claiming again'),
    });
    if (claim.nextOffset > 0) await this.checkHeld(claim);
    this.#seek(claim);
    this.#logger.info({ topic, partition, epoch: claim.epoch, next_offset: claim.nextOffset }, 'partition claimed');
    return claim;
  }

  /** Marks that a claim's offset was sought at the broker; false when it was before. */
  markSought(claim: SourceClaim): boolean {
    if (this.#sought.has(claim)) return false;
    this.#sought.add(claim);
    return true;
  }

  /** Throws SourceGapError when the broker no longer holds what comes next. */
  async checkHeld(claim: SourceClaim): Promise<void> {
    const offsets = await this.#admin.fetchTopicOffsets(claim.topic);
    const held = offsets.find(({ partition }) => partition === claim.partition);
    if (!held) return;
    const low = Number(held.low);
    const high = Number(held.high);
    if (claim.nextOffset < low || claim.nextOffset > high) throw new SourceGapError(claim, low, high);
  }
}
