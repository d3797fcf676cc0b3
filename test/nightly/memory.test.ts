import type { CDPSession } from 'playwright-core';
import { expect } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { it, liveMark, openPerSuite } from '../support/console/operate.ts';
import { deliver, projectAll } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';

/** The number of updates in half an hour, with one every two seconds. */
const UPDATES = 900;
const QUARTERS = 4;
const BETWEEN_DELIVERIES = 15;
/**
 * A quarter has several measurements. The smallest one counts, because requests that are waiting for a response
 * increase a measurement.
 */
const DELIVERIES_PER_MEASUREMENT = 5;
const MAX_TRIPS = 20;
const TOPIC = 'milepost.trips';
/**
 * A quarter has 225 updates. For each update, the heap may grow by a kilobyte. For every ten updates, the page may grow
 * by one node and one listener.
 */
const MAX_GROWN_BYTES = 225_000;
const MAX_GROWN_NODES = 25;
const MAX_MILLISECONDS = 600_000;

interface Memory {
  heap: number;
  nodes: number;
  listeners: number;
}

/** Returns the page's memory after garbage collection. */
async function memoryOf(session: CDPSession): Promise<Memory> {
  // The first collection finalises objects, so the second collection can release more memory.
  for (let time = 0; time < 2; time += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  return { heap: usedSize, nodes, listeners: jsEventListeners };
}

/** Returns the smallest value for each measure. */
function smallest(measured: readonly Memory[]): Memory {
  const least = (figure: keyof Memory) => Math.min(...measured.map((each) => each[figure]));
  return { heap: least('heap'), nodes: least('nodes'), listeners: least('listeners') };
}

/**
 * Advances the clock by two seconds for each update, so that the five-minute charts have their real number of points.
 */
function advanceClock(): void {
  let now = Date.now();
  Date.now = () => {
    now += 2_000;
    return now;
  };
}

describeWithBrowser('half an hour of live updates', () => {
  const operate = openPerSuite({ statusIntervalMilliseconds: 5 });

  /** Stores and applies some trips, and sometimes adds a record that is refused. */
  async function deliverTrips(delivery: number): Promise<void> {
    const { pipeline } = operate.world;
    const trips = Array.from({ length: 1 + ((delivery * 7) % MAX_TRIPS) }, (_, index) =>
      tripProcessed({
        source_trip_id: `hour-${delivery}-${index}`,
        trip_start_time: Date.UTC(2025, 0, 1) + delivery * 3_600_000,
      }),
    );
    await deliver(pipeline.ingest, delivery % 20 === 0 ? [...trips, '{broken'] : trips, TOPIC);
    await projectAll(pipeline);
  }

  it('does not increase the memory of the page', { timeout: MAX_MILLISECONDS }, async () => {
    const { page } = await operate.open('#/replays', { viewport: { width: 1360, height: 900 } });
    await page.addInitScript(advanceClock);
    await page.goto(operate.origin);
    await page.reload();
    await liveMark(page).waitFor();
    const session = await page.context().newCDPSession(page);
    let updates = 0;
    let deliveries = 0;
    // The page requests /readyz once for each status that it processes.
    page.on('response', (response) => {
      if (response.url().endsWith('/readyz')) updates += 1;
    });
    const quarters: Memory[] = [];
    for (let quarter = 0; quarter < QUARTERS; quarter += 1) {
      const measured: Memory[] = [];
      for (const end = updates + UPDATES / QUARTERS; updates < end; deliveries += 1) {
        await deliverTrips(deliveries);
        const next = updates + BETWEEN_DELIVERIES;
        await expect.poll(() => updates).toBeGreaterThanOrEqual(next);
        if (deliveries % DELIVERIES_PER_MEASUREMENT === 0) measured.push(await memoryOf(session));
      }
      quarters.push(smallest(measured));
    }
    process.stderr.write(`memory after each quarter of ${updates} updates: ${JSON.stringify(quarters)}\n`);
    // A leak grows in each quarter, unlike a temporary increase or caches that fill up.
    const grown = (figure: keyof Memory) => {
      const figures = quarters.map((quarter) => quarter[figure]);
      return Math.min(...figures.slice(1).map((after, index) => after - (figures[index] ?? 0)));
    };
    expect(grown('heap')).toBeLessThan(MAX_GROWN_BYTES);
    expect(grown('nodes')).toBeLessThan(MAX_GROWN_NODES);
    expect(grown('listeners')).toBeLessThan(MAX_GROWN_NODES);
  });
});
