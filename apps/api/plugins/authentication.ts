import { performance } from 'node:perf_hooks';
import { hashApiKey, isApiKey } from '@milepost/domain/api-key';
import { isTransientError, type Pool } from '@milepost/postgres';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import { findValidKey, type KeyUse, noteKeyUses, type ValidKey } from '@milepost/projections/queries';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Problem } from '../problems.ts';
import type { LaneReader, ServedLanes } from '../served-lanes.ts';

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

const HOUR_MILLISECONDS = 3_600_000;
/**
 * The uses of keys are written at this interval, so that requests do not wait for the write and a key used by many
 * requests is written only once.
 */
const WRITE_INTERVAL_MILLISECONDS = 10_000;

/** Records the hour in which each API key was last used. Writes each key at most once an hour. Exported for tests. */
export class KeyUses {
  readonly #directory: Pool;
  #hour = 0;
  /** The keys used in this hour. */
  readonly #used = new Set<string>();
  #unwritten: KeyUse[] = [];

  constructor(directory: Pool) {
    this.#directory = directory;
  }

  note(keyHash: Buffer): void {
    const hour = Math.floor(Date.now() / HOUR_MILLISECONDS);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#used.clear();
    }
    const key = keyHash.toString('latin1');
    if (this.#used.has(key)) return;
    this.#used.add(key);
    this.#unwritten.push({ keyHash, at: new Date(hour * HOUR_MILLISECONDS) });
  }

  /** Writes the uses that have not been written yet. If this fails, the next call tries again. */
  async write(): Promise<void> {
    const uses = this.#unwritten;
    if (uses.length === 0) return;
    this.#unwritten = [];
    await noteKeyUses(this.#directory, uses).catch(() => this.#unwritten.unshift(...uses));
  }
}

/**
 * Returns a function that notes a use of a valid API key. All noted uses are written periodically and when the server
 * closes.
 */
function noteUses(app: FastifyInstance, directory: Pool): (keyHash: Buffer) => void {
  const uses = new KeyUses(directory);
  const timer = setInterval(() => uses.write(), WRITE_INTERVAL_MILLISECONDS).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await uses.write();
  });
  return (keyHash) => uses.note(keyHash);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The fleet of the request's API key, which is the only fleet that the request may read. */
    fleetId: string;
    /** The request's API key; null before the key is checked. */
    apiKey: ValidKey | null;
    /** Reads from the fleet's lane. */
    lane: LaneReader;
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
  app.decorateRequest('lane');
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
    request.lane = await lanes.find(found.lane);
  });
  app.addHook('onError', async ({ apiKey }, _reply, error) => {
    if (isTransientError(error)) lanes.suspect(apiKey?.lane ?? FIRST_LANE);
  });
}
