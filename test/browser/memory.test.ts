import { join } from 'node:path';
import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { makeScreenshots } from '../support/console/looks.ts';
import { liveMark, type OperateWorld, openOperate } from '../support/console/operate.ts';
import { deliver, projectAll } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';

/** An hour of them, one each two seconds. */
const UPDATES = 1_800;
const QUARTERS = 4;
const BETWEEN_DELIVERIES = 15;
const MOST_TRIPS = 20;
const TOPIC = 'milepost.trips';
/** Half a kilobyte an update, and a node each tenth. */
const MOST_GROWN_BYTES = 225_000;
const MOST_GROWN_NODES = 45;
const LONGEST_MILLISECONDS = 600_000;

interface Memory {
  heap: number;
  nodes: number;
  listeners: number;
}

/** What the page holds once all that nobody needs is thrown away. */
async function memoryOf(session: CDPSession): Promise<Memory> {
  // What the first collection sets free may hold something itself.
  for (let time = 0; time < 2; time += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  return { heap: usedSize, nodes, listeners: jsEventListeners };
}

/** Lets each update find the clock two seconds on, so that five minutes of charts are as many points as they ever are. */
function hurryClock(): void {
  let now = Date.now();
  Date.now = () => {
    now += 2_000;
    return now;
  };
}

describeWithBrowser('an hour of live updates', () => {
  let operate: OperateWorld;

  beforeAll(async () => {
    operate = await openOperate({ statusIntervalMilliseconds: 5 });
  });
  afterAll(async () => await operate?.close());

  /** Stores and applies some trips, and now and then a record that is refused. */
  async function deliverTrips(delivery: number): Promise<void> {
    const { pipeline } = operate.world;
    const trips = Array.from({ length: 1 + ((delivery * 7) % MOST_TRIPS) }, (_, index) =>
      tripProcessed({
        source_trip_id: `hour-${delivery}-${index}`,
        trip_start_time: Date.UTC(2025, 0, 1) + delivery * 3_600_000,
      }),
    );
    await deliver(pipeline.ingest, delivery % 20 === 0 ? [...trips, '{broken'] : trips, TOPIC);
    await projectAll(pipeline);
  }

  it('leaves memory as it was', { timeout: LONGEST_MILLISECONDS }, async () => {
    const { page } = await operate.open('#/replays', { viewport: { width: 1360, height: 900 } });
    await page.addInitScript(hurryClock);
    await page.goto(operate.origin);
    await page.reload();
    await liveMark(page).waitFor();
    const session = await page.context().newCDPSession(page);
    let updates = 0;
    let deliveries = 0;
    // The page looks at health with every status that it takes.
    page.on('response', (response) => {
      if (response.url().endsWith('/readyz')) updates += 1;
    });
    const quarters: Memory[] = [];
    for (let quarter = 0; quarter < QUARTERS; quarter += 1) {
      for (const end = updates + UPDATES / QUARTERS; updates < end; deliveries += 1) {
        await deliverTrips(deliveries);
        const next = updates + BETWEEN_DELIVERIES;
        await expect.poll(() => updates, { timeout: 120_000, interval: 20 }).toBeGreaterThanOrEqual(next);
      }
      quarters.push(await memoryOf(session));
    }
    await page.screenshot({ path: join(await makeScreenshots('operate'), 'pipeline-after-an-hour.png') });
    process.stderr.write(`memory after each quarter of ${updates} updates: ${JSON.stringify(quarters)}\n`);
    // What grows is more in each later quarter than in any before; what comes and goes is not.
    const grown = (figure: keyof Memory) => {
      const figures = quarters.map((quarter) => quarter[figure]);
      return Math.min(...figures.slice(QUARTERS / 2)) - Math.max(...figures.slice(0, QUARTERS / 2));
    };
    expect(grown('heap')).toBeLessThan(MOST_GROWN_BYTES);
    expect(grown('nodes')).toBeLessThan(MOST_GROWN_NODES);
    expect(grown('listeners')).toBeLessThan(MOST_GROWN_NODES);
  });
});
