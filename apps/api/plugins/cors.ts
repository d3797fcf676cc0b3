import cors, { type FastifyCorsOptions } from '@fastify/cors';
import { optionalText, refuse } from '@milepost/service';
import type { FastifyInstance } from 'fastify';

/** Headers of responses that scripts of other origins may read. By default they can read none of these. */
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
/** Browsers may reuse the answer to a preflight request for two hours, the maximum of Chromium. */
const PREFLIGHT_SECONDS = 7_200;

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text);
}

/**
 * Reads CORS_ORIGINS: the origins whose pages may call the API, separated by commas. By default, there are none. Throws
 * SettingError.
 */
export function corsOrigins(environment: NodeJS.ProcessEnv): readonly string[] {
  const origins = (optionalText(environment, 'CORS_ORIGINS') ?? '').split(',').map((origin) => origin.trim());
  const named = origins.filter((origin) => origin !== '');
  const wrong = named.find((origin) => origin !== '*' && !isOrigin(origin));
  if (wrong !== undefined) {
    refuse(
      'CORS_ORIGINS',
      `CORS_ORIGINS must have origins such as https://example.org (without a path), separated by commas, or *, but has "${wrong}".`,
    );
  }
  return named;
}

/**
 * Lets pages of other origins call the API, and answers their preflight requests before any other check: these carry
 * no key. Credentials of the browser are not allowed, since a key goes into a header. Without origins it adds nothing.
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
      // Other OPTIONS requests are answered as without this plugin.
      const isOther = method === 'OPTIONS' && headers['access-control-request-method'] === undefined;
      done(null, isOther ? { origin: false } : options);
    },
  });
}
