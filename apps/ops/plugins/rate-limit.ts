import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problems/problem.ts';

const WINDOW_MILLISECONDS = 60_000;

/** Limits the requests of each address per minute: a script gone wild, and whoever guesses tokens. */
export async function limitRate(app: FastifyInstance, maximum: number): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    max: maximum,
    timeWindow: WINDOW_MILLISECONDS,
    enableDraftSpec: true,
    errorResponseBuilder: (_request, { max, ttl }) => {
      const seconds = Math.ceil(ttl / 1000);
      return new Problem('rate_limited', `The ${max} requests of this minute are used up: retry in ${seconds} s.`);
    },
  });
  // As a hook of its own: the plugin's would run after the token was looked at, and guesses of it would not count.
  app.addHook('onRequest', app.rateLimit());
}
