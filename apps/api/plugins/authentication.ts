import { performance } from 'node:perf_hooks';
import { hashApiKey, isApiKey } from '@milepost/domain/api-key';
import { isTransientError, type Pool } from '@milepost/postgres';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import { findValidKey, type ValidKey } from '@milepost/projections/queries';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Problem } from '../problems.ts';
import type { ServedLanes } from '../served-lanes.ts';
import { noteUses } from './key-uses.ts';

/** The maximum age of a cached result. Every replica must refuse a revoked or expired key within 5 s. */
const FRESH_MILLISECONDS = 3_000;
const KEYS = 10_000;

/** A valid API key, or null. Unknown keys are cached too, so that repeating a wrong key cannot flood the database. */
interface Access {
  found: ValidKey | null;
}

/**
 * Returns a function that finds an API key and caches the result for 3 s. Concurrent calls for a key share one query.
 * If the query fails, all of these calls reject and nothing is cached.
 *
 * @param onUse called with the hash of each valid key
 * Exported for tests.
 */
export function createKeyLookup(
  directory: Pool,
  onUse: (keyHash: Buffer) => void = () => {},
): (key: string) => Promise<ValidKey | null> {
  const cache = new LRUCache<string, Access, Buffer>({
    max: KEYS,
    ttl: FRESH_MILLISECONDS,
    fetchMethod: async (_hash, _stale, { context, options }) => {
      const started = performance.now();
      const found = await findValidKey(directory, context);
      // Subtract the duration of the query, because its result may already be that old.
      options.ttl = Math.max(1, FRESH_MILLISECONDS - (performance.now() - started));
      return { found };
    },
  });
  return async (key) => {
    if (!isApiKey(key)) return null;
    const hash = hashApiKey(key);
    const access = await cache.fetch(hash.toString('latin1'), { context: hash });
    const found = access?.found ?? null;
    if (found !== null) onUse(hash);
    return found;
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The fleet of the request's API key, which is the only fleet that the request may read. */
    fleetId: string;
    /** The request's API key; null before the key is checked. */
    apiKey: ValidKey | null;
    /** The fleet's lane; the first lane before the key is checked. */
    lane: number;
  }
}

/** The scheme name is case-insensitive (RFC 9110). */
const AUTHORIZATION = /^APIKEY +([^\s]+)$/i;

function unauthorized(detail: string): Problem {
  return new Problem('unauthorized', detail, { headers: { 'www-authenticate': 'APIKEY' } });
}

/** Refuses requests without a valid API key, and sets the fleet and the lane of all other requests. */
export function authenticate(app: FastifyInstance, directory: Pool, lanes: ServedLanes): void {
  const findKey = createKeyLookup(directory, noteUses(app, directory));
  app.decorateRequest('fleetId', '');
  app.decorateRequest('apiKey', null);
  app.decorateRequest('lane', FIRST_LANE);
  app.addHook('onRequest', async (request) => {
    const [, key] = AUTHORIZATION.exec(request.headers.authorization ?? '') ?? [];
    if (key === undefined) {
      throw unauthorized(
        'Send exactly one Authorization header: "APIKEY", a space and an API key, as in "APIKEY mp_...".',
      );
    }
    const found = await findKey(key);
    if (found === null) throw unauthorized('The API key is unknown, revoked or expired.');
    request.fleetId = found.fleetId;
    request.apiKey = found;
    request.lane = found.lane;
    lanes.assertWorking(found.lane);
  });
  app.addHook('onError', async ({ lane }, _reply, error) => {
    if (isTransientError(error)) lanes.suspect(lane);
  });
}
