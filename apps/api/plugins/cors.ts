import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** The response headers that scripts from other origins may read. By default, they cannot read any of these headers. */
const EXPOSED_HEADERS = [
  'ETag',
  'Milepost-Lag-Seconds',
  'Milepost-Position',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
];
const ALLOWED_HEADERS = ['Authorization', 'Content-Type', 'If-None-Match', 'Traceparent', 'X-Request-Id'];
/** Browsers may reuse the response to a preflight request for two hours, which is Chromium's maximum. */
const PREFLIGHT_SECONDS = 7_200;

/**
 * Lets pages from other origins call the API. Responds to their preflight requests before any other check, because
 * preflight requests do not contain a key. Browser credentials are not allowed, because clients send the key in a
 * header. Does nothing if `origins` is empty.
 */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const options: FastifyCorsOptions = {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD'],
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  };
  await app.register(cors, {
    delegator: ({ method, headers }, done) => {
      // Other OPTIONS requests get the same responses as without this plugin.
      const isOther = method === 'OPTIONS' && headers['access-control-request-method'] === undefined;
      done(null, isOther ? { origin: false } : options);
    },
  });
}
