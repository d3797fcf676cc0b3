import { DEAD_LETTER_REASONS } from '@milepost/domain/dead-letter-reasons';
import { Counter, Histogram, Registry } from 'prom-client';
import { addGauges } from './gauges.ts';

const BATCH_BUCKETS = [1, 5, 10, 25, 50, 100, 250, 500];
const STEP_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * The steps of a batch. `read` waits for records and fetches them from Kafka, `encode` checks and encodes them, `lock`
 * waits for the head of the log, and `store` is the rest of the transaction.
 */
type Step = 'read' | 'encode' | 'lock' | 'store';

interface PartitionName {
  topic: string;
  partition: number;
}

/** A partition that the process is reading. `lag` is null while the partition's end is unknown. */
interface PartitionLag extends PartitionName {
  lag: number | null;
}

/** The metrics of the ingest process. A series exists only for a partition that the process has read. */
export class IngestMetrics {
  readonly registry = new Registry();
  readonly #registers = { registers: [this.registry] };
  readonly #records = new Counter({
    name: 'milepost_ingest_records_total',
    help: 'Records whose outcome has been committed, by topic and partition.',
    labelNames: ['topic', 'partition'],
    ...this.#registers,
  });
  readonly #bytes = new Counter({
    name: 'milepost_ingest_bytes_total',
    help: 'Bytes in the records whose outcome has been committed, by topic and partition.',
    labelNames: ['topic', 'partition'],
    ...this.#registers,
  });
  readonly #deadLetters = new Counter({
    name: 'milepost_ingest_dead_letters_total',
    help: 'Records that became dead letters, by reason.',
    labelNames: ['reason'],
    ...this.#registers,
  });
  readonly #batchRecords = new Histogram({
    name: 'milepost_ingest_batch_records',
    help: 'Number of records in a batch from one partition.',
    buckets: BATCH_BUCKETS,
    ...this.#registers,
  });
  readonly #steps = new Histogram({
    name: 'milepost_ingest_step_duration_seconds',
    help: 'Time per step: read (a fetch, which waits for records), encode (per batch), lock and store (per transaction).',
    labelNames: ['step'],
    buckets: STEP_BUCKETS_SECONDS,
    ...this.#registers,
  });
  /** Counts how many times fetching was paused. */
  readonly pauses = new Counter({
    name: 'milepost_ingest_fetch_pauses_total',
    help: 'How many times fetching was paused because the queue was full.',
    ...this.#registers,
  });
  /** Counts the assignments of partitions. */
  readonly rebalances = new Counter({
    name: 'milepost_ingest_rebalances_total',
    help: 'How many times the consumer group has assigned partitions to this process.',
    ...this.#registers,
  });
  #partitions: () => Iterable<PartitionLag> = () => [];
  #queueBytes = () => 0;

  constructor() {
    // An alert compares a counter with its earlier value, so each series must exist before its first dead letter.
    for (const reason of Object.keys(DEAD_LETTER_REASONS)) this.#deadLetters.inc({ reason }, 0);
    const lags = () =>
      [...this.#partitions()].map(({ topic, partition, lag }) => ({ topic, partition, lag_records: lag }));
    addGauges(this.registry, 'milepost_ingest_', ['topic', 'partition'], lags, {
      lag_records: 'Offsets in the partition that have not been stored yet, by topic and partition.',
    });
    addGauges(this.registry, 'milepost_ingest_', [], () => [{ queue_bytes: this.#queueBytes() }], {
      queue_bytes: 'Bytes in the records that have been fetched but not stored yet.',
    });
  }

  /** Sets the current assignment, from which the lag and the queue size are read. */
  readAssignment(partitions: () => Iterable<PartitionLag>, queueBytes: () => number): void {
    this.#partitions = partitions;
    this.#queueBytes = queueBytes;
  }

  /** Counts a stored batch from a partition. */
  countBatch({ topic, partition }: PartitionName, records: number, bytes: number): void {
    const labels = { topic, partition };
    this.#records.inc(labels, records);
    this.#bytes.inc(labels, bytes);
    if (records > 0) this.#batchRecords.observe(records);
  }

  /** Counts the dead letters of a committed transaction, by their reasons. */
  countDeadLetters(reasons: Iterable<string>): void {
    for (const reason of reasons) this.#deadLetters.inc({ reason });
  }

  /** Records the duration of a step. */
  countStep(step: Step, milliseconds: number): void {
    this.#steps.observe({ step }, milliseconds / 1000);
  }
}
