import { addDays, dateOf, startOfDay } from '@milepost/domain/calendar';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { TSchema } from 'typebox';
import { prepareDatabase } from '../../../apps/cli/prepare-database.ts';
import { contentOf } from '../answers.ts';
import { perSuite } from '../fixtures.ts';
import { type OpsWorld, openOps, TOKEN } from '../ops.ts';
import { deliver, projectAll } from '../pipeline.ts';
import { driverProfile, tripProcessed } from '../records.ts';
import { startWorker } from '../worker.ts';
import { openTab } from './browser.ts';
import { it as itOfExplore } from './explore.ts';
import { simulatedRecords } from './fleet.ts';

const HOUR = 3_600_000;
const TOPIC = 'milepost.trips';

interface OpenOptions extends BrowserContextOptions {
  /** By default, the API's token. Null means that the visitor has not entered a token. */
  token?: string | null;
  /** By default, the world's own server. */
  origin?: string;
}

/** The operators' API with a fleet and a worker, and a browser that opens Operate on this API. */
export type OperateWorld = Awaited<ReturnType<typeof openOperate>>;

/** The label on a page that shows live data. */
export function liveMark(page: Page): Locator {
  return page.getByRole('banner').getByText('Live', { exact: true });
}

/** Returns records that cannot be stored, each for a different reason. One of them contains a long string. */
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

/**
 * Fills the first lane of a database with current data, and starts the operators' API and its worker.
 *
 * @param lanes the number of lanes; all except the first are empty
 */
export async function openOperate(browser: Browser, options: Parameters<typeof openOps>[0] = {}, lanes = 1) {
  const world = await openOps(options);
  const now = Date.now();
  await fill(world, now);
  if (lanes > 1) await prepareDatabase(world.pipeline.url, { lanes });
  // This keeps a scheduled audit from appearing in the middle of a test, and retention from replaying the rollups of
  // old trips.
  for (let lane = 0; lane < lanes; lane += 1) {
    await world.pipeline.owner.query(`UPDATE ${world.pipeline.lane(lane).schema}.job SET ended_at = now()`);
  }
  const worker = startWorker(world.pipeline.url);
  const own = await world.ops.listen({ host: '127.0.0.1', port: 0 });
  return {
    world,
    origin: own,
    ask: world.ask,
    /** Returns the body of a response. */
    json: async (path: string) => (await world.ask(path)).json(),
    /** Returns an operation's answer. */
    read: async <Answer extends TSchema>({ answer }: { answer: Answer }, path: string) =>
      contentOf(await world.ask(path), answer),
    /** The UTC day of the trips `seen` and `other`. */
    day: addDays(dateOf(now), -2),
    /** Opens a tab at the view named by `hash`. */
    open: async (hash = '', { token = TOKEN, origin = own, ...contextOptions }: OpenOptions = {}) =>
      await openTab(browser, `${origin}/${hash}`, { secret: token, ...contextOptions }),
    /** Starts another server, by default on a free port. Returns its origin, and a function that stops it. */
    serve: async (more: Parameters<OpsWorld['build']>[0], port = 0) => {
      const server = await world.build(more);
      const origin = await server.listen({ host: '127.0.0.1', port });
      const stop = async () => {
        const closed = server.close();
        server.server.closeAllConnections();
        await closed;
      };
      return { origin, stop };
    },
    close: async () => {
      await worker.close();
      await world.close();
    },
  };
}

/** Opens an own world before the first test in a suite and closes it after the last. */
export function openPerSuite(options?: Parameters<typeof openOps>[0], lanes?: number): OperateWorld {
  let browser: Browser;
  it.beforeAll(({ browser: started }) => {
    browser = started;
  });
  return perSuite(async () => await openOperate(browser, options, lanes));
}

/** A test with both applications. Each worker fills the world `operate` once, with one lane. */
export const it = itOfExplore.extend('operate', { scope: 'worker' }, async ({ browser }, { onCleanup }) => {
  const operate = await openOperate(browser);
  onCleanup(operate.close);
  return operate;
});
