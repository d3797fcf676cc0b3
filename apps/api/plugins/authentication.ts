import { performance } from 'node:perf_hooks';
import { hashApiKey, isApiKey } from '@milepost/domain/api-key';
import type { Pool } from '@milepost/postgres';
import { findFleetOfKey } from '@milepost/projections/queries';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Problem } from '../problems.ts';

/** A revoked key must be refused within 5 s on every replica: this long at most an answer of the database counts. */
const FRESH_MILLISECONDS = 3_000;
const KEYS = 10_000;

/** The fleet an API key opens, or null; unknown keys are kept too, so that a wrong one cannot flood the database. */
interface Access {
  fleetId: string | null;
}

/**
 * Finds the fleet of an API key, from memory for 3 s. Concurrent look-ups of one key share one query; a failed query is
 * forgotten and rejects for all of them.
 *
 * Exported for tests.
 */
export function createKeyLookup(pool: Pool): (key: string) => Promise<string | null> {
  const cache = new LRUCache<string, Access, Buffer>({
    max: KEYS,
    ttl: FRESH_MILLISECONDS,
    fetchMethod: async (_hash, _stale, { context, options }) => {
      const started = performance.now();
      const fleetId = await findFleetOfKey(pool, context);
      // What a slow query saw is already as old as the query is long.
      options.ttl = Math.max(1, FRESH_MILLISECONDS - (performance.now() - started));
      return { fleetId };
    },
  });
  return async (key) => {
    if (!isApiKey(key)) return null;
    const hash = hashApiKey(key);
    const access = await cache.fetch(hash.toString('latin1'), { context: hash });
    return access?.fleetId ?? null;
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The one fleet that the request may see: that of its API key. */
    fleetId: string;
  }
}

/** The scheme's word is case-insensitive (RFC 9110). */
const AUTHORIZATION = /^APIKEY +([^\s]+)$/i;

function unauthorized(detail: string): Problem {
  return new Problem('unauthorized', detail, { headers: { 'www-authenticate': 'APIKEY' } });
}

/** Lets only requests with a valid API key through, and gives them their `fleetId`. */
export function authenticate(app: FastifyInstance, pool: Pool): void {
  const findFleet = createKeyLookup(pool);
  app.decorateRequest('fleetId', '');
  app.addHook('onRequest', async (request) => {
    const [, key] = AUTHORIZATION.exec(request.headers.authorization ?? '') ?? [];
    if (key === undefined) {
      throw unauthorized('There must be one header Authorization: "APIKEY" and an API key, as in "APIKEY mp_...".');
    }
    const fleetId = await findFleet(key);
    if (fleetId === null) throw unauthorized('The API key is unknown or revoked.');
    request.fleetId = fleetId;
  });
}
