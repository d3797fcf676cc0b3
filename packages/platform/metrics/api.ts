import { Counter, Histogram, Registry } from 'prom-client';
import { addGauges } from './gauges.ts';

/** The upper limits of the buckets, in seconds. A request ends within 5 s. */
const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** How many requests a server has admitted and refused so far, and how many it is handling at the moment. */
type AdmissionFigures = Record<'admitted' | 'refused' | 'running' | 'waiting' | 'concurrency', number>;

/** The metrics of the API process. */
export class ApiMetrics {
  readonly registry = new Registry();
  readonly #duration = new Histogram({
    name: 'milepost_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response, by route and status.',
    labelNames: ['route', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [this.registry],
  });
  /** Counts the requests that exceed their fleet's limit. */
  readonly rateLimited = new Counter({
    name: 'milepost_http_requests_rate_limited_total',
    help: 'Requests refused with 429, because their fleet had reached its limit.',
    registers: [this.registry],
  });

  /** Counts a request to which the API has responded. `route` is null when no route matches. */
  countAnswer({ route, status, seconds }: { route: string | null; status: number; seconds: number }): void {
    this.#duration.observe({ route: route ?? 'none', status }, seconds);
  }

  /**
   * Adds a metric for the standby's delay.
   *
   * @param read returns the lanes that the standby serves, and its delay, which is null while it is unknown
   */
  readStandby(read: () => { lanes: readonly number[]; delaySeconds: number | null }): void {
    const delays = () => {
      const { lanes, delaySeconds } = read();
      return lanes.map((lane) => ({ lane, delay_seconds: delaySeconds }));
    };
    addGauges(this.registry, 'milepost_standby_', ['lane'], delays, {
      delay_seconds: 'Maximum delay of the standby from which this process reads the lane.',
    });
  }

  /** Adds metrics about the admission of requests. */
  readAdmission(read: () => AdmissionFigures): void {
    const name = 'milepost_http_requests_';
    // The caller keeps the counts, so that counting costs only one addition.
    const count = (figure: 'admitted' | 'refused', help: string) =>
      new Counter({
        name: `${name}${figure}_total`,
        help,
        registers: [this.registry],
        collect() {
          this.reset();
          this.inc(read()[figure]);
        },
      });
    count('admitted', 'Admitted requests to the endpoints.');
    count('refused', 'Requests to the endpoints that were refused with 503 because they would have waited too long.');
    const figures = () => [{ ...read(), running_limit: read().concurrency }];
    addGauges(this.registry, name, [], figures, {
      running: 'Admitted requests whose responses are not yet ready.',
      waiting: 'Requests waiting for admission.',
      running_limit: 'Maximum number of requests running at the same time.',
    });
  }
}
