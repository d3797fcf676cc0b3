import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createWorld, type World } from '../world.ts';
import { startBrowser } from './browser.ts';
import { busyRecords, fewRecords, longTrip, simulatedRecords } from './fleet.ts';

const BATCH = 500;
/** However slow the machine is: what is missing then does not come. */
const LONGEST_WAIT_MILLISECONDS = 60_000;

/** An API on a fleet, and a browser that opens Explore there. */
export interface ExploreWorld {
  world: World;
  origin: string;
  /** Of the fleet `acme`. */
  key: string;
  browser: Browser;
  /**
   * A tab at the view that `hash` names, with the key of `acme` unless told otherwise. What the page says on its console as a
   * warning or error, and what it throws, is added to `complaints`.
   */
  open: (hash?: string, options?: BrowserContextOptions & { key?: string | null }) => Promise<ExplorePage>;
  close: () => Promise<void>;
}

interface ExplorePage {
  page: Page;
  complaints: string[];
}

interface ExploreOptions extends NonNullable<Parameters<typeof createWorld>[0]> {
  /** Also twelve simulated drivers. */
  hasSimulated?: boolean;
  /** Also a driver of 3,000 trips. */
  hasBusy?: boolean;
}

/** Fills a world of the present with the fleets `acme` and `other`, and opens a browser. */
export async function openExplore({
  hasSimulated = false,
  hasBusy = false,
  ...options
}: ExploreOptions = {}): Promise<ExploreWorld> {
  const world = await createWorld(options);
  const browser = await startBrowser();
  const now = Date.now();
  world.clock.now = now;
  const records = [
    ...fewRecords('acme', now),
    ...fewRecords('other', now).map((record) => ({ ...record, driver_id: 'stranger', first_name: 'Grace' })),
    longTrip(now),
    ...(hasSimulated ? simulatedRecords('acme', now) : []),
    ...(hasBusy ? busyRecords(now) : []),
  ];
  for (let start = 0; start < records.length; start += BATCH) await world.ingest(records.slice(start, start + BATCH));
  await world.project();
  const origin = await world.api.listen({ host: '127.0.0.1', port: 0 });
  const key = await world.createKey('acme');
  return {
    world,
    origin,
    key,
    browser,
    open: async (hash = '', { key: ownKey = key, ...contextOptions } = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...contextOptions });
      if (ownKey !== null) {
        await context.addInitScript((text) => {
          if (sessionStorage.getItem('visited') === null) sessionStorage.setItem('milepost-key', text);
          sessionStorage.setItem('visited', 'yes');
        }, ownKey);
      }
      const page = await context.newPage();
      page.setDefaultTimeout(LONGEST_WAIT_MILLISECONDS);
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (['warning', 'error'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`${origin}/explore/${hash}`);
      return { page, complaints };
    },
    close: async () => {
      await browser.close();
      await world.close();
    },
  };
}
