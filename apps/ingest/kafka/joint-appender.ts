import { type AppendedBatch, appendTogether, type SourceBatch } from '@milepost/event-log/append';
import { chunkBySize } from '@milepost/event-log/chunk-by-size';
import type { IngestMetrics } from '@milepost/metrics/ingest';
import { isTransientError, type Pool } from '@milepost/postgres';
import { activeContext, linksTo, openSpan, runAndEnd } from '@milepost/tracing';

/** Limits the size of one transaction, so that other appends do not wait long. A larger batch is appended alone. */
const MAX_TRANSACTION_RECORDS = 1_000;

interface Waiting {
  batch: SourceBatch;
  /** The context with the span of the batch; undefined when tracing is off. */
  context: ReturnType<typeof activeContext>;
  appended: (batch: AppendedBatch) => void;
  failed: (error: unknown) => void;
}

/**
 * Appends the batches of several partitions. All appends wait for one lock, and a small transaction costs almost as
 * much as a large one. Batches that arrive while a transaction is running therefore share the next transaction. An
 * append never waits for more batches, so a batch that arrives alone is appended immediately.
 */
export class JointAppender {
  readonly #pool: Pool;
  readonly #metrics: IngestMetrics | undefined;
  #waiting: Waiting[] = [];
  #isAppending = false;

  /** @param metrics counts the transactions */
  constructor(pool: Pool, metrics?: IngestMetrics) {
    this.#pool = pool;
    this.#metrics = metrics;
  }

  /**
   * Appends a batch, possibly together with batches from other sources.
   *
   * @throws SourceFencedError when another process has claimed this batch's source, FleetFencedError when a fence
   *   refuses a fleet in the batch, and other errors, except those that affect only another batch
   */
  async append(batch: SourceBatch): Promise<AppendedBatch> {
    const { promise, resolve: appended, reject: failed } = Promise.withResolvers<AppendedBatch>();
    this.#waiting.push({ batch, context: activeContext(), appended, failed });
    if (!this.#isAppending) void this.#appendAll();
    return await promise;
  }

  async #appendAll(): Promise<void> {
    this.#isAppending = true;
    while (this.#waiting.length > 0) await this.#appendSome(this.#takeSome());
    this.#isAppending = false;
  }

  #takeSome(): Waiting[] {
    const chunks = chunkBySize(this.#waiting, ({ batch }) => batch.records.length, {
      maxSize: MAX_TRANSACTION_RECORDS,
    });
    const [first = []] = chunks;
    return this.#waiting.splice(0, first.length);
  }

  /** Settles each batch's promise in `taken`. Never rejects. */
  async #appendSome(taken: readonly Waiting[]): Promise<void> {
    try {
      const started = performance.now();
      const contexts = taken.map(({ context }) => context);
      // Several batches share the transaction, so its span is a child of the first batch's span and is linked to the
      // other batches' spans.
      const span = openSpan('store', () => ({ parent: contexts[0], links: linksTo(contexts.slice(1)) }));
      const { appended, deadLetterReasons, lockMilliseconds } = await runAndEnd(span, () =>
        appendTogether(
          this.#pool,
          taken.map(({ batch }) => batch),
        ),
      );
      this.#metrics?.countStep('lock', lockMilliseconds);
      this.#metrics?.countStep('store', performance.now() - started - lockMilliseconds);
      this.#metrics?.countDeadLetters(deadLetterReasons);
      for (const [index, waiting] of taken.entries()) {
        const batch = appended[index];
        if (batch) waiting.appended(batch);
        else waiting.failed(new Error('Appending a batch returned no result for it.'));
      }
    } catch (error) {
      // Such an error may affect only one batch, for example one whose source is fenced, and this batch must not block
      // the others. The transaction stored nothing, so each batch is appended again, this time alone.
      if (taken.length > 1 && !isTransientError(error)) {
        for (const waiting of taken) await this.#appendSome([waiting]);
      } else {
        for (const { failed } of taken) failed(error);
      }
    }
  }
}
