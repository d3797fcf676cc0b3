import { runAudit } from '@milepost/audit';
import { addDays, dateOf, startOfDay } from '@milepost/domain/calendar';
import { PROJECTIONS } from '@milepost/projections';
import { createLogger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { prepareDatabase } from '../../../apps/cli/prepare-database.ts';
import { runWorker } from '../../../apps/ops/worker/index.ts';
import { type OpsWorld, openOps, requestOf, TOKEN } from '../ops.ts';
import { deliver, projectAll } from '../pipeline.ts';
import { driverProfile, tripProcessed } from '../records.ts';
import { startBrowser } from './browser.ts';
import { simulatedRecords } from './fleet.ts';
import { openTab, type Tab } from './tab.ts';

const HOUR = 3_600_000;
const NEVER = { audit_interval_minutes: 100_000, retention_interval_minutes: 100_000 };
const TOPIC = 'milepost.trips';
const MAX_WAIT_MILLISECONDS = 30_000;

/** The operators' API with a fleet and a worker, and a browser that opens Operate on this API. */
export interface OperateWorld {
  world: OpsWorld;
  origin: string;
  browser: Browser;
  /** Sends a request to the server that is running at the moment. */
  ask: OpsWorld['ask'];
  /** The UTC day of the trips `seen` and `gone`. */
  day: string;
  /** Opens a tab at the view that `hash` names, by default with the token. */
  open: (hash?: string, options?: BrowserContextOptions & { token?: string | null }) => Promise<Tab>;
  /** Closes all connections and stops the server. Returns a function that starts another one on the same port. */
  kill: () => Promise<() => Promise<void>>;
  /** Changes the scores of the drivers in the live daily summaries, so that they differ from the log. */
  spoilScores: () => Promise<void>;
  /** Deletes trips from the live read table and audits the table. Returns the id of the audit. */
  spoilTrips: () => Promise<number>;
  close: () => Promise<void>;
}

/** The label of a page that shows live data. */
export function liveMark(page: Page): Locator {
  return page.getByRole('banner').getByText('Live', { exact: true });
}

/** Returns records that cannot be stored, each for a different reason. One of them has a long text. */
function brokenRecords(start: number): (object | string | Uint8Array | null)[] {
  return [
    '{"kind": "trip.processed", "fleet_id": "acme"',
    { ...tripProcessed({ source_trip_id: 'odd', trip_start_time: start }), distance_miles: 'far – sehr weit' },
    { ...tripProcessed({ source_trip_id: 'odd-2', trip_start_time: start }), distance_miles: 'far' },
    { ...tripProcessed({ source_trip_id: 'odd-3', trip_start_time: start }), driver_id: '' },
    Uint8Array.from([0x7b, 0xff, 0xfe, 0x7d]),
    null,
  ];
}

async function fill({ pipeline }: OpsWorld, now: number): Promise<void> {
  const start = startOfDay(addDays(dateOf(now), -2)) + 8 * HOUR;
  const seen = tripProcessed({ source_trip_id: 'seen', trip_start_time: start });
  await deliver(
    pipeline.ingest,
    [
      driverProfile(),
      seen,
      seen,
      { ...seen, revision: 2, distance_miles: 13.5 },
      tripProcessed({ source_trip_id: 'other', trip_start_time: start + 2 * HOUR, driver_id: 'to erase/1' }),
      ...brokenRecords(start),
      ...simulatedRecords('acme', now),
    ],
    TOPIC,
  );
  await projectAll(pipeline);
}

function work(world: OpsWorld) {
  const stop = new AbortController();
  const done = runWorker({
    databaseUrl: world.pipeline.url,
    redisUrl: undefined,
    schedule: NEVER,
    tasks: { tripRetentionDays: null, replacedGenerationDays: 7 },
    logger: createLogger('ops', 'silent'),
    signal: stop.signal,
  });
  return async () => {
    stop.abort();
    await done;
  };
}

/**
 * Fills the first lane of a database with current data, starts the operators' API and its worker, and opens a browser.
 *
 * @param lanes the number of lanes; all except the first are empty
 */
export async function openOperate(options: Parameters<typeof openOps>[0] = {}, lanes = 1): Promise<OperateWorld> {
  const world = await openOps(options);
  const now = Date.now();
  await fill(world, now);
  if (lanes > 1) await prepareDatabase(world.pipeline.url, { lanes });
  const stopWorking = work(world);
  const browser = await startBrowser();
  let server: FastifyInstance = world.ops;
  const origin = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    world,
    origin,
    browser,
    ask: async (path, request) => await server.inject(requestOf(path, request)),
    day: addDays(dateOf(now), -2),
    open: async (hash = '', { token: secret = TOKEN, ...contextOptions } = {}) =>
      await openTab(browser, `${origin}/${hash}`, {
        secret,
        maxWaitMilliseconds: MAX_WAIT_MILLISECONDS,
        ...contextOptions,
      }),
    kill: async () => {
      const closed = server.close();
      server.server.closeAllConnections();
      await closed;
      return async () => {
        server = await world.build({});
        await server.listen({ host: '127.0.0.1', port: Number(new URL(origin).port) });
      };
    },
    spoilScores: async () => {
      await world.pipeline.owner.query(
        `UPDATE daily_rollups SET summary = regexp_replace(summary, '"fm_score":[0-9.]+', '"fm_score":' || (50 + length(driver_id) % 40))
         WHERE date > CURRENT_DATE - 20`,
      );
    },
    spoilTrips: async () => {
      await world.pipeline.owner.query(`DELETE FROM trips WHERE driver_id = 'driver-1'`);
      return (await runAudit(world.pipeline.projector, PROJECTIONS, { projection: 'trips' })).id;
    },
    close: async () => {
      await browser.close();
      await stopWorking();
      await world.close();
    },
  };
}
