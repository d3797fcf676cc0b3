import rateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { CommonProblem } from './common-problems.ts';

const WINDOW_MILLISECONDS = 60_000;

/**
 * Limits the requests per minute of each address, or of whoever `keyGenerator` names; through Redis, if there is one, for
 * all replicas together. Without an answer of Redis requests pass unlimited: readers must not suffer from its absence. From
 * here on routes are limited, after the hooks declared before, and carry the `RateLimit-*` headers.
 */
export async function limitRate(
  app: FastifyInstance,
  maximum: number,
  options: Pick<RateLimitPluginOptions, 'keyGenerator' | 'redis'> = {},
): Promise<void> {
  await app.register(rateLimit, {
    ...options,
    global: false,
    max: maximum,
    timeWindow: WINDOW_MILLISECONDS,
    enableDraftSpec: true,
    nameSpace: 'milepost-rate-limit-',
    skipOnError: true,
    errorResponseBuilder: (_request, { max, ttl }) => {
      const seconds = Math.ceil(ttl / 1000);
      const detail = `The ${max} requests of this minute are used up: retry in ${seconds} s.`;
      return new CommonProblem('rate_limited', detail);
    },
  });
  // As a hook of its own, in its place among the others: the plugin's would run after all of them.
  app.addHook('onRequest', app.rateLimit());
}
