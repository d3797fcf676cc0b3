import { Gauge, Histogram, Registry } from 'prom-client';

const DURATION_BUCKETS_SECONDS = [0.1, 0.5, 1, 5, 10, 60, 300, 1_800, 3_600, 14_400];

const KINDS = ['replay', 'audit', 'retention'] as const;
const OUTCOMES = ['completed', 'failed'] as const;

/** Metrics for the jobs that the ops process takes from the queue. */
export class JobMetrics {
  readonly registry = new Registry();
  readonly #running = new Gauge({
    name: 'milepost_jobs_running',
    help: 'Jobs that the process is currently running, by kind.',
    labelNames: ['kind'],
    registers: [this.registry],
  });
  readonly #duration = new Histogram({
    name: 'milepost_job_duration_seconds',
    help: 'Job duration, by kind and outcome (completed or failed).',
    labelNames: ['kind', 'outcome'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [this.registry],
  });

  constructor() {
    // A rate needs an earlier value, so each series must exist before its first job.
    for (const kind of KINDS) {
      this.#running.set({ kind }, 0);
      for (const outcome of OUTCOMES) this.#duration.zero({ kind, outcome });
    }
  }

  /** Runs a job and counts it. */
  async measure(kind: (typeof KINDS)[number], work: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    let outcome: (typeof OUTCOMES)[number] = 'failed';
    this.#running.inc({ kind });
    try {
      await work();
      outcome = 'completed';
    } finally {
      this.#running.dec({ kind });
      this.#duration.observe({ kind, outcome }, (performance.now() - startedAt) / 1000);
    }
  }
}
