import { inSnapshot, type Pool } from '@milepost/postgres';
import { readProjectionStates } from '@milepost/status/log-status';
import { Histogram, Registry } from 'prom-client';
import { measureConnections } from './connections.ts';
import { addGauges } from './gauges.ts';

const BATCH_BUCKETS = [1, 10, 50, 100, 500, 1_000, 2_500, 5_000, 10_000];
const BATCH_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** A batch applied by a projection. */
interface AppliedBatch {
  projection: string;
  events: number;
  milliseconds: number;
}

/** A lane and its pool for scrapes, which is separate because scrapes must not wait for batches. */
interface ReadLane {
  lane: number;
  pool: Pool;
}

/** Reads the lag of each live generation; nothing if the lane's database does not respond. */
async function readLane({ lane, pool }: ReadLane) {
  const states = await inSnapshot(pool, readProjectionStates).catch(() => []);
  return states.map(({ name, lag_events, lag_seconds }) => ({ lane, projection: name, lag_events, lag_seconds }));
}

/** The metrics of the projector process. */
export class ProjectorMetrics {
  readonly registry = new Registry();
  readonly #registers = { labelNames: ['projection'], registers: [this.registry] };
  readonly #events = new Histogram({
    name: 'milepost_projector_batch_events',
    help: 'Number of stored events in a batch applied by a projection.',
    buckets: BATCH_BUCKETS,
    ...this.#registers,
  });
  readonly #duration = new Histogram({
    name: 'milepost_projector_batch_duration_seconds',
    help: 'Time taken by a projection to apply a batch. Projections run in parallel.',
    buckets: BATCH_BUCKETS_SECONDS,
    ...this.#registers,
  });

  #pools: readonly Pool[] = [];
  #lanes: readonly ReadLane[] = [];

  constructor() {
    measureConnections(this.registry, () => ({ lanes: this.#pools }));
    const readLags = async () => (await Promise.all(this.#lanes.map(readLane))).flat();
    addGauges(this.registry, 'milepost_projector_', ['lane', 'projection'], readLags, {
      lag_events: 'Stored events not yet applied to the live generation, by lane and projection.',
      lag_seconds: 'Age of the oldest stored event not yet applied to the live generation; 0 if there is none.',
    });
  }

  /** Counts a batch committed by a projection. */
  countBatch({ projection, events, milliseconds }: AppliedBatch): void {
    this.#events.observe({ projection }, events);
    this.#duration.observe({ projection }, milliseconds / 1000);
  }

  /** Measures the connections in these pools, instead of the pools passed in the previous call. */
  measurePools(pools: readonly Pool[]): void {
    this.#pools = pools;
  }

  /** On each scrape, reads the lag in these lanes, instead of the lanes passed in the previous call. */
  readLanes(lanes: readonly ReadLane[]): void {
    this.#lanes = lanes;
  }
}
