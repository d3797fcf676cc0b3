import type { Admin } from 'kafkajs';
import type { Partition } from './partition.ts';
import { SourceStoppedError } from './topic-identity.ts';

/** A consumer that reads nothing for this long while the topic grows is replaced. */
const STALL_MILLISECONDS = 30_000;

/** Notices when a consumer fetches nothing although topics grow. */
export class StallWatchdog {
  #lastSign = performance.now();

  /** Notes that the consumer is alive. */
  noteSign(): void {
    this.#lastSign = performance.now();
  }

  /** @param isDue whether there are records to fetch, and room for them */
  isStalled(isDue: boolean): boolean {
    if (!isDue) this.noteSign();
    return performance.now() - this.#lastSign >= STALL_MILLISECONDS;
  }
}

/**
 * Returns the partitions with offsets that were not fetched yet. A partition that ends before the offsets already read
 * is stopped, because its topic was created again and may soon grow past these offsets.
 */
export async function findBehind(admin: Admin, partitions: readonly Partition[]): Promise<Partition[]> {
  const read = partitions.flatMap((partition) => (partition.claim ? [{ partition, claim: partition.claim }] : []));
  const behind: Partition[] = [];
  for (const topic of new Set(read.map(({ claim }) => claim.topic))) {
    const offsets = new Map((await admin.fetchTopicOffsets(topic)).map((held) => [held.partition, held]));
    for (const { partition, claim } of read.filter((candidate) => candidate.claim.topic === topic)) {
      const held = offsets.get(claim.partition);
      if (!held) continue;
      const high = Number(held.high);
      partition.end = high;
      if (high < claim.nextOffset) partition.fail(SourceStoppedError.outOfRange(claim, Number(held.low), high));
      else if (high > partition.fetchedTo) behind.push(partition);
    }
  }
  return behind;
}
