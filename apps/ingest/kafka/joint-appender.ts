import { type AppendedBatch, appendTogether, type SourceBatch, SourceFencedError } from '@milepost/event-log';
import type { Pool } from '@milepost/postgres';

/** How long others who append wait for one transaction; a batch that is larger by itself is appended alone. */
const LARGEST_TRANSACTION_RECORDS = 1_000;

interface Waiting {
  batch: SourceBatch;
  appended: (batch: AppendedBatch) => void;
  failed: (error: unknown) => void;
}

/**
 * Appends what several partitions have brought. All who append wait for one lock, and a small transaction costs little
 * less than a large one; so whatever comes while a transaction is under way goes into the next one together. Nobody waits
 * for company: a batch that comes alone is appended at once.
 */
export class JointAppender {
  readonly #pool: Pool;
  #waiting: Waiting[] = [];
  #isAppending = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Appends a batch, possibly together with those of other sources.
   *
   * @throws SourceFencedError when another process has claimed its source; that of another source is not told here
   */
  async append(batch: SourceBatch): Promise<AppendedBatch> {
    const { promise, resolve: appended, reject: failed } = Promise.withResolvers<AppendedBatch>();
    this.#waiting.push({ batch, appended, failed });
    if (!this.#isAppending) void this.#appendAll();
    return await promise;
  }

  async #appendAll(): Promise<void> {
    this.#isAppending = true;
    while (this.#waiting.length > 0) await this.#appendSome(this.#takeSome());
    this.#isAppending = false;
  }

  #takeSome(): Waiting[] {
    let records = 0;
    const tooMany = this.#waiting.findIndex(({ batch }, index) => {
      records += batch.records.length;
      return index > 0 && records > LARGEST_TRANSACTION_RECORDS;
    });
    return this.#waiting.splice(0, tooMany < 0 ? this.#waiting.length : tooMany);
  }

  /** Settles each of `taken`; never rejects. */
  async #appendSome(taken: readonly Waiting[]): Promise<void> {
    try {
      const { appended } = await appendTogether(
        this.#pool,
        taken.map(({ batch }) => batch),
      );
      for (const [index, waiting] of taken.entries()) {
        const batch = appended[index];
        if (batch) waiting.appended(batch);
        else waiting.failed(new Error('A batch was appended, and nothing said what became of it.'));
      }
    } catch (error) {
      // One whose source is another's now must not hold up the rest: nothing of any was stored.
      if (error instanceof SourceFencedError && taken.length > 1) {
        for (const waiting of taken) await this.#appendSome([waiting]);
      } else {
        for (const { failed } of taken) failed(error);
      }
    }
  }
}
