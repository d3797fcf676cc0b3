import type { Browser, BrowserContextOptions } from 'playwright-core';
import { createWorld, type World } from '../world.ts';
import { startBrowser } from './browser.ts';
import { busyRecords, fewRecords, longTrip, simulatedRecords } from './fleet.ts';
import { openTab, type Tab } from './tab.ts';

const BATCH = 500;
/** High enough for a slow machine. An element that is still missing after this time will never appear. */
const MAX_WAIT_MILLISECONDS = 60_000;

/** An API with a fleet, and a browser that opens Explore on this API. */
export interface ExploreWorld {
  world: World;
  origin: string;
  /** The API key of the fleet `acme`. */
  key: string;
  browser: Browser;
  /** Opens a tab at the view that `hash` names, by default with the key of `acme`. */
  open: (hash?: string, options?: BrowserContextOptions & { key?: string | null }) => Promise<Tab>;
  close: () => Promise<void>;
}

interface ExploreOptions extends NonNullable<Parameters<typeof createWorld>[0]> {
  /** Adds twelve simulated drivers. */
  hasSimulated?: boolean;
  /** Adds a driver with 3,000 trips. */
  hasBusy?: boolean;
  /** The service's and the browser's time in epoch milliseconds, by default the current time. */
  time?: number;
  /** More records, which are stored after all others. */
  records?: readonly object[];
}

/** Fills a world with the fleets `acme` and `other`, whose trips end at `time`, and opens a browser. */
export async function openExplore({
  hasSimulated = false,
  hasBusy = false,
  time,
  records: more = [],
  ...options
}: ExploreOptions = {}): Promise<ExploreWorld> {
  const world = await createWorld(options);
  const browser = await startBrowser();
  const now = time ?? Date.now();
  world.clock.now = now;
  const records = [
    ...fewRecords('acme', now),
    ...fewRecords('other', now).map((record) => ({ ...record, driver_id: 'stranger', first_name: 'Grace' })),
    longTrip(now),
    ...(hasSimulated ? simulatedRecords('acme', now) : []),
    ...(hasBusy ? busyRecords(now) : []),
    ...more,
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
    open: async (hash = '', { key: secret = key, ...contextOptions } = {}) =>
      await openTab(browser, `${origin}/explore/${hash}`, {
        secret,
        maxWaitMilliseconds: MAX_WAIT_MILLISECONDS,
        ...(time === undefined ? {} : { time }),
        ...contextOptions,
      }),
    close: async () => {
      await browser.close();
      await world.close();
    },
  };
}
