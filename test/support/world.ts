import { randomUUID } from 'node:crypto';
import { generateApiKey, hashApiKey } from '@milepost/domain/api-key';
import { exactJson } from '@milepost/domain/exact-json';
import { readRecord } from '@milepost/event-log/prepare';
import { claimFile } from '@milepost/event-log/sources';
import { type Pool, ROLES } from '@milepost/postgres';
import { FIRST_LANE, type Lane, LanePools } from '@milepost/postgres/lanes';
import { createLogger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { buildApi } from '../../apps/api/build.ts';
import { perSuite } from './fixtures.ts';
import { headersOf } from './http.ts';
import { append, openPipeline, projectAll, type TestLog } from './pipeline.ts';
import { describeWithPostgres } from './service-suites.ts';

/** `pool` is on the first lane. */
type ApiOptions = Omit<Parameters<typeof buildApi>[0], 'lanes'> & { pool: Pool };

/**
 * 2025-01-20 12:00:00 UTC, a Monday, five days after the default trip. A test can set another time with `clock.now`.
 */
export const DEFAULT_NOW = Date.UTC(2025, 0, 20, 12);

interface ApiRequest {
  /** Null means that the request has no Authorization header. */
  key?: string | null;
  headers?: Record<string, string>;
  method?: 'GET' | 'HEAD';
  /** Another instance of the API. */
  api?: FastifyInstance;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

/** Adds an API key for a fleet to a directory and returns the key. */
export async function createApiKey(directory: Pool, fleetId: string, rateLimitPerMinute?: number): Promise<string> {
  const key = generateApiKey();
  await directory.query(
    'INSERT INTO api_key (api_key_id, fleet_id, key_hash, rate_limit_per_minute) VALUES ($1, $2, $3, $4)',
    [randomUUID(), fleetId, hashApiKey(key), rateLimitPerMinute],
  );
  return key;
}

/** Builds an API on the lanes of a database, and closes it with the database. By default, no limit refuses a request. */
export async function openApi(
  log: TestLog,
  own: Partial<ApiOptions> & Pick<ApiOptions, 'now'>,
): Promise<FastifyInstance> {
  const open = (lane: Lane) => log.open(lane, ROLES.api, 5);
  const { pool = open(log.lane(FIRST_LANE)), directory = log.openDirectory(ROLES.api) } = own;
  const api = await buildApi({
    lanes: new LanePools(directory, (lane) => (lane.number === FIRST_LANE ? pool : open(lane))),
    logger: createLogger('api', 'silent'),
    rateLimitPerMinute: 1_000_000,
    requireContentType: true,
    // High enough for a slow machine, so that requests are refused only when a test intends it.
    maxWaitMilliseconds: 60_000,
    maxTurnMilliseconds: 60_000,
    ...own,
    directory,
  });
  return log.keep(api);
}

/** Creates a database, and everything from ingest to the API on it. Each part uses its own database role. */
export async function createWorld(options: Partial<ApiOptions> = {}) {
  const pipeline = await openPipeline();
  const { url, owner: pool, directory } = pipeline;
  const clock = { now: DEFAULT_NOW };
  const build = async (own: Partial<ApiOptions> = {}) => await openApi(pipeline, { now: () => clock.now, ...own });
  const api = await build(options);

  const createKey = async (fleetId: string, rateLimitPerMinute?: number): Promise<string> =>
    await createApiKey(directory, fleetId, rateLimitPerMinute);
  const ownKey = await createKey('acme');

  const ingest = async (records: readonly object[]) => {
    const claim = await claimFile(pipeline.ingest, 'test');
    const incoming = records.map((record, offset) => {
      const raw = Buffer.from(exactJson(record));
      return { offset, raw, prepared: readRecord(raw, clock.now) };
    });
    return (await append(pipeline.ingest, claim, incoming, records.length)).counts;
  };

  return {
    /** The time, in epoch milliseconds, on the clock of ingest and the API. */
    clock,
    /** Sets the clock until the test ends. */
    setTime: (now: number) => {
      clock.now = now;
      onTestFinished(() => {
        clock.now = DEFAULT_NOW;
      });
    },
    pipeline,
    url,
    /** The superuser's pool on the lane. */
    pool,
    /** The superuser's pool on the directory. */
    directory,
    api,
    /** Creates an API key. `rateLimitPerMinute` gives the key a limit of its own. */
    createKey,
    /** Builds another instance of the API on the same database. */
    buildApi: build,
    /** Stores records as if ingest had read them from a file. */
    ingest,
    /** Applies the whole log to the read tables as the projector does. */
    project: async () => await projectAll(pipeline),
    /** Stores records and applies them to the read tables. */
    take: async (records: readonly object[]) => {
      await ingest(records);
      await projectAll(pipeline);
    },
    /**
     * Sends a request to the API with the given key, by default a key for the fleet `acme`, and with `Content-Type:
     * application/json`.
     */
    get: async (path: string, { key = ownKey, headers = {}, method = 'GET', api: asked = api }: ApiRequest = {}) =>
      await asked.inject({
        method,
        url: path,
        headers: { ...headersOf(key), ...headers },
      }),
    close: async () => await pipeline.close(),
  };
}

/** Declares a suite with one world for all tests. It is skipped without PostgreSQL. */
export function describeWithWorld(title: string, body: (world: World) => void): void {
  describeWithPostgres(title, () => body(perSuite(createWorld)));
}
