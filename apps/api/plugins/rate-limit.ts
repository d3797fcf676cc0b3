import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import { Problem } from '../problems/problem.ts';

const WINDOW_MILLISECONDS = 60_000;

/**
 * Limits the requests of each fleet per minute, shared by all replicas through Redis if there is one. Without an answer of
 * Redis requests pass unlimited: readers must not suffer from its absence. Routes declared afterwards are limited, after
 * authentication, and carry the `RateLimit-*` headers.
 */
export async function limitRate(app: FastifyInstance, maximum: number, redis: Redis | undefined): Promise<void> {
  await app.register(rateLimit, {
    max: maximum,
    timeWindow: WINDOW_MILLISECONDS,
    hook: 'onRequest',
    keyGenerator: (request) => request.fleetId,
    enableDraftSpec: true,
    nameSpace: 'milepost-rate-limit-',
    skipOnError: true,
    ...(redis ? { redis } : {}),
    errorResponseBuilder: (_request, { max, ttl }) => {
      const seconds = Math.ceil(ttl / 1000);
      return new Problem('rate_limited', `The ${max} requests of this minute are used up: retry in ${seconds} s.`);
    },
  });
}
