import { inSnapshot, type Pool } from '@milepost/postgres';
import { readProjectionStates } from '@milepost/status/log-status';
import { Histogram, Registry } from 'prom-client';
import { measureConnections } from './connections.ts';
import { readGauge, type Sample } from './read-metrics.ts';

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
    this.#readLags();
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

  /** Adds the lag of each live generation, except in lanes whose database does not respond. */
  #readLags(): void {
    const { registry } = this;
    const labelNames = ['lane', 'projection'];
    const read = async ({ lane, pool }: ReadLane) => {
      const rows = await inSnapshot(pool, readProjectionStates).catch(() => []);
      return rows.map((row) => ({ ...row, lane }));
    };
    let states: ReturnType<typeof read> = Promise.resolve([]);
    const samples = async (figure: 'lag_events' | 'lag_seconds'): Promise<Sample[]> =>
      (await states).map(({ [figure]: value, lane, name }) => [value, { lane, projection: name }]);
    readGauge(registry, {
      name: 'milepost_projector_lag_events',
      help: 'Stored events not yet applied to the live generation, by lane and projection.',
      labelNames,
      read: async () => {
        // A scrape reads the gauges in the order in which they were added, so this gauge and the next one show the same
        // snapshot.
        states = Promise.all(this.#lanes.map(read)).then((each) => each.flat());
        return await samples('lag_events');
      },
    });
    readGauge(registry, {
      name: 'milepost_projector_lag_seconds',
      help: 'Age of the oldest stored event not yet applied to the live generation; 0 if there is none.',
      labelNames,
      read: async () => await samples('lag_seconds'),
    });
  }
}
