import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createWorld, type World } from '../world.ts';
import { openTab, test } from './browser.ts';
import { fewRecords, longTrip } from './fleet.ts';
import { KNOWN_NOW, knownRecords } from './known-fleet.ts';

const BATCH = 500;

interface OpenOptions extends BrowserContextOptions {
  /** By default, the key of `acme`. Null means that the visitor has not entered a key. */
  key?: string | null;
  /** By default, the world's own instance of the API. */
  origin?: string;
}

/** An API with a fleet, and a browser that opens Explore on this API. */
export type ExploreWorld = Awaited<ReturnType<typeof fillExplore>>;

/** Creates a world with the fleets `acme` and `other`, whose trips end at `now`. */
async function fillExplore(
  browser: Browser,
  onCleanup: (close: () => Promise<void>) => void,
  now: number,
  more: readonly object[],
) {
  const world = await createWorld();
  onCleanup(world.close);
  world.clock.now = now;
  const listen = async (api: World['api']) => await api.listen({ host: '127.0.0.1', port: 0 });
  const add = async (records: readonly object[]) => {
    for (let start = 0; start < records.length; start += BATCH) await world.ingest(records.slice(start, start + BATCH));
    await world.project();
  };
  const others = fewRecords('other', now).map((record) => ({ ...record, driver_id: 'stranger', first_name: 'Grace' }));
  await add([...fewRecords('acme', now), ...others, longTrip(now), ...more]);
  const own = await listen(world.api);
  const ownKey = await world.createKey('acme');
  return {
    world,
    origin: own,
    /** The API key of the fleet `acme`. */
    key: ownKey,
    /** Opens a tab at the view named by `hash`. */
    open: async (hash = '', { key = ownKey, origin = own, ...options }: OpenOptions = {}) =>
      await openTab(browser, `${origin}/explore/${hash}`, {
        secret: key,
        // In this time zone, the date differs from that in UTC most of the time.
        ...(now === KNOWN_NOW ? { time: now, timezoneId: 'Pacific/Auckland' } : {}),
        ...options,
      }),
    /** Shows the view named by `hash` in a tab. */
    go: async (page: Page, hash: string) => await page.goto(`${own}/explore/${hash}`),
    /** Stores additional records and applies them. */
    add,
    /** Starts another instance of the API. Returns its origin. */
    serve: async (options: Parameters<World['buildApi']>[0]) => await listen(await world.buildApi(options)),
  };
}

/**
 * A test with Explore. Each worker fills each world once: `explore` with trips up to now, and `known` with known values
 * at a fixed time.
 */
export const it = test
  .extend('explore', { scope: 'worker' }, async ({ browser }, { onCleanup }) => {
    return await fillExplore(browser, onCleanup, Date.now(), []);
  })
  .extend('known', { scope: 'worker' }, async ({ browser }, { onCleanup }) => {
    return await fillExplore(browser, onCleanup, KNOWN_NOW, knownRecords());
  });
