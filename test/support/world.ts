import { randomUUID } from 'node:crypto';
import { generateApiKey, hashApiKey } from '@milepost/domain/api-key';
import { exactJson } from '@milepost/domain/exact-json';
import { type AppendCounts, append, claimFile, readRecord } from '@milepost/event-log';
import { createPool, type Pool, ROLES, type Role } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { prepareGenerations } from '@milepost/projections/engine';
import { createLogger } from '@milepost/service';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { buildApi } from '../../apps/api/build.ts';
import { advance } from '../../packages/projections/engine/advance.ts';
import { createTestDatabase } from './database.ts';

type ApiOptions = Parameters<typeof buildApi>[0];

/** 2025-01-20 12:00:00 UTC, a Monday: the world's time unless a test sets `clock.now`; five days after the default trip. */
export const DEFAULT_NOW = Date.UTC(2025, 0, 20, 12);

const BATCH = 1_000;

interface ApiRequest {
  /** null: without the header Authorization. */
  key?: string | null;
  headers?: Record<string, string>;
  method?: 'GET' | 'HEAD';
}

export interface World {
  /** The time that ingest and the API see, in epoch milliseconds. */
  clock: { now: number };
  url: string;
  /** As the superuser. */
  pool: Pool;
  api: FastifyInstance;
  /** Stores records as ingest does, from a file of their own. */
  ingest: (records: readonly object[]) => Promise<AppendCounts>;
  /** Applies the whole log to the read tables, as the projector does. */
  project: () => Promise<void>;
  createKey: (fleetId: string) => Promise<string>;
  /** Asks the API with the key given, or one of the fleet `acme`, and `Content-Type: application/json`. */
  get: (path: string, request?: ApiRequest) => Promise<LightMyRequestResponse>;
  /** Another instance of the API on the same database. */
  buildApi: (options?: Partial<ApiOptions>) => Promise<FastifyInstance>;
  close: () => Promise<void>;
}

/** A database of its own with everything from ingest to the API on it, each part in its own database role. */
export async function createWorld(options: Partial<ApiOptions> = {}): Promise<World> {
  const database = await createTestDatabase();
  const clock = { now: DEFAULT_NOW };
  const closings: (() => Promise<void>)[] = [database.drop];
  const openPool = (role?: Role): Pool => {
    const pool = createPool({
      url: database.url,
      applicationName: 'milepost-test',
      connections: 5,
      statementTimeoutMilliseconds: 5_000,
      ...(role ? { role } : {}),
    });
    closings.unshift(async () => await pool.end());
    return pool;
  };
  const pool = openPool();
  const ingestPool = openPool(ROLES.ingest);
  const projectorPool = openPool(ROLES.projector);
  await prepareGenerations(projectorPool, PROJECTIONS);

  const openApi = async (own: Partial<ApiOptions> = {}): Promise<FastifyInstance> => {
    const api = await buildApi({
      pool: openPool(ROLES.api),
      logger: createLogger('api', 'silent'),
      now: () => clock.now,
      rateLimitPerMinute: 1_000_000,
      requireContentType: true,
      // However slow the machine is, whoever is refused is refused for a reason that the test has made.
      longestWaitMilliseconds: 60_000,
      ...own,
    });
    closings.unshift(async () => await api.close());
    return api;
  };
  const api = await openApi(options);

  const createKey = async (fleetId: string): Promise<string> => {
    const key = generateApiKey();
    const values = [randomUUID(), fleetId, hashApiKey(key)];
    await pool.query('INSERT INTO access.api_key (api_key_id, fleet_id, key_hash) VALUES ($1, $2, $3)', values);
    return key;
  };
  const ownKey = await createKey('acme');

  return {
    clock,
    url: database.url,
    pool,
    api,
    createKey,
    buildApi: openApi,
    ingest: async (records) => {
      const claim = await claimFile(ingestPool, 'test');
      const incoming = records.map((record, offset) => {
        const raw = Buffer.from(exactJson(record));
        return { offset, raw, prepared: readRecord(raw, clock.now) };
      });
      return (await append(ingestPool, claim, incoming, records.length)).counts;
    },
    project: async () => {
      let range = await advance(projectorPool, PROJECTIONS, BATCH);
      while (range.through > range.after) range = await advance(projectorPool, PROJECTIONS, BATCH);
    },
    get: async (path, { key = ownKey, headers = {}, method = 'GET' } = {}) =>
      await api.inject({
        method,
        url: path,
        headers: {
          'content-type': 'application/json',
          ...(key === null ? {} : { authorization: `APIKEY ${key}` }),
          ...headers,
        },
      }),
    close: async () => {
      for (const closing of closings) await closing();
    },
  };
}
