import rateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CommonProblem } from './common-problems.ts';

const WINDOW_MILLISECONDS = 60_000;

/** The store counts at most this many callers, and removes the oldest window when another caller arrives. */
const MAX_CALLERS = 5_000;

/**
 * Counts each caller's requests in memory, using a monotonic clock. The plugin's own store uses the system time. If
 * somebody set the system time back by an hour, that store would refuse requests for an hour.
 */
class MonotonicStore {
  /** A Map keeps insertion order. The windows also end in this order, because they all have the same length. */
  readonly #windows = new Map<string, { current: number; endsAt: number }>();

  incr(caller: string, done: (error: null, counted: { current: number; ttl: number }) => void): void {
    const now = performance.now();
    for (const [oldest, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size <= MAX_CALLERS) break;
      this.#windows.delete(oldest);
    }
    const window = this.#windows.get(caller) ?? { current: 0, endsAt: now + WINDOW_MILLISECONDS };
    window.current += 1;
    this.#windows.set(caller, window);
    done(null, { current: window.current, ttl: window.endsAt - now });
  }

  /** The plugin calls this only for routes with their own limits, and there are no such routes. */
  child(): this {
    return this;
  }
}

/**
 * Limits the requests per minute from each address, or from each caller returned by `keyGenerator`. With Redis, all
 * replicas share the limit. When Redis does not respond, requests pass without a limit, because an outage of Redis must
 * not affect readers. The limit applies to routes declared afterwards, and its hook runs after the hooks that were
 * added earlier. Responses carry the `RateLimit-*` headers.
 *
 * @param options `onExceeded` is called for each refused request
 */
export async function limitRate(
  app: FastifyInstance,
  maximum: number | ((request: FastifyRequest) => number),
  options: Pick<RateLimitPluginOptions, 'keyGenerator' | 'redis' | 'onExceeded'> = {},
): Promise<void> {
  await app.register(rateLimit, {
    // Redis expires its counters by its own clock.
    ...(options.redis ? {} : { store: MonotonicStore }),
    ...options,
    global: false,
    max: maximum,
    timeWindow: WINDOW_MILLISECONDS,
    enableDraftSpec: true,
    nameSpace: 'milepost-rate-limit-',
    skipOnError: true,
    errorResponseBuilder: (_request, { max, ttl }) => {
      const seconds = Math.ceil(ttl / 1000);
      const detail = `The limit of ${max} requests per minute has been reached: retry in ${seconds} s.`;
      return new CommonProblem('rate_limited', detail);
    },
  });
  // Add the hook here, so that it runs before the hooks added later. The plugin's own hook would run after all of them.
  app.addHook('onRequest', app.rateLimit());
}
