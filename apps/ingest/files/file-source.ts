import { appendTogether, type SourceBatch } from '@milepost/event-log/append';
import type { IncomingRecord } from '@milepost/event-log/prepare';
import {
  type AppendCounts,
  claimFile,
  claimSource,
  endSource,
  readSourceCounts,
  type SourceClaim,
} from '@milepost/event-log/sources';
import { type Pool, type RetryOptions, retryTransientErrors } from '@milepost/postgres';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import { groupByLane, type IngestLanes, poolOf } from '../lanes.ts';

export const NO_RECORDS: AppendCounts = { read: 0, stored: 0, duplicates: 0, dead_letters: 0 };

export function sumCounts(left: AppendCounts, right: AppendCounts): AppendCounts {
  return {
    read: left.read + right.read,
    stored: left.stored + right.stored,
    duplicates: left.duplicates + right.duplicates,
    dead_letters: left.dead_letters + right.dead_letters,
  };
}

/**
 * Appends a batch and retries after transient errors. A COMMIT that reports an error may still have succeeded, so each
 * retry first reads the source's offset from the log.
 */
async function storeBatch(pool: Pool, batch: SourceBatch, retry: RetryOptions): Promise<SourceClaim> {
  const { topic, partition } = batch.claim;
  let current: SourceClaim | null = batch.claim;
  const attempt = async () => {
    const claim: SourceClaim = current ?? (await claimSource(pool, topic, partition));
    current = null;
    if (claim.nextOffset >= batch.nextOffset) return claim;
    const { appended } = await appendTogether(pool, [{ ...batch, claim }]);
    return appended[0]?.claim ?? claim;
  };
  return await retryTransientErrors(attempt, retry);
}

interface Held {
  claim: SourceClaim;
  /** The number of records that the source has counted, including those in other lanes. */
  counted: number;
}

/** One pass through a file. It is a separate source in each lane that receives records from the file. */
export class FileSource {
  /** The offset after the last stored record. */
  nextOffset = 0;
  readonly #name: string;
  readonly #lanes: IngestLanes;
  readonly #retry: RetryOptions;
  readonly #held = new Map<number, Held>();
  #read = 0;

  constructor(name: string, lanes: IngestLanes, retry: RetryOptions) {
    this.#name = name;
    this.#lanes = lanes;
    this.#retry = retry;
  }

  /** The lanes that have records from the file, or only the first lane if the file has no records. */
  get lanes(): number[] {
    return [...this.#held.keys()];
  }

  async store(records: readonly IncomingRecord[]): Promise<void> {
    const last = records.at(-1);
    if (!last) return;
    const groups = await retryTransientErrors(() => groupByLane(this.#lanes, records), this.#retry);
    const nextOffset = last.offset + 1;
    this.#read += records.length;
    await Promise.all([...groups].map(([lane, own]) => this.#storeIn(lane, own, nextOffset)));
    this.nextOffset = nextOffset;
  }

  /** Claims the file in the first lane unless it is claimed already, because empty files also need a source. */
  async claim(): Promise<void> {
    if (this.#held.size === 0) await this.#claimIn(FIRST_LANE);
  }

  /** Marks the file as read to the end. Returns the counts of the file's records in all lanes. */
  async end(): Promise<AppendCounts> {
    await this.claim();
    let counts = NO_RECORDS;
    for (const [lane, { claim }] of this.#held) {
      const pool = poolOf(this.#lanes, lane);
      await retryTransientErrors(() => endSource(pool, claim), this.#retry);
      counts = sumCounts(counts, await retryTransientErrors(() => readSourceCounts(pool, claim.sourceId), this.#retry));
    }
    return counts;
  }

  async #storeIn(lane: number, records: readonly IncomingRecord[], nextOffset: number): Promise<void> {
    const { claim, counted } = this.#held.get(lane) ?? (await this.#claimIn(lane));
    const batch = { claim, records, nextOffset, elsewhere: this.#read - counted - records.length };
    this.#held.set(lane, {
      claim: await storeBatch(poolOf(this.#lanes, lane), batch, this.#retry),
      counted: this.#read,
    });
  }

  async #claimIn(lane: number): Promise<Held> {
    const claim = await retryTransientErrors(() => claimFile(poolOf(this.#lanes, lane), this.#name), this.#retry);
    const held = { claim, counted: 0 };
    this.#held.set(lane, held);
    return held;
  }
}
