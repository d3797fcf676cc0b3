import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { liveMark, type OperateWorld, openOperate } from '../support/console/operate.ts';
import { scrollThrough } from '../support/console/scrolling.ts';
import { longestOf, MAX_MILLISECONDS, tasksDuring } from '../support/console/tasks.ts';
import { deliver } from '../support/pipeline.ts';

const SOURCES = 120;
const BROKEN_EACH = 2;
/** The interval at which the status is sent, which is a tenth of the interval in production. */
const STATUS_MILLISECONDS = 200;
const UPDATES = 10;

describeWithBrowser('Operate stays responsive', () => {
  let operate: OperateWorld;

  beforeAll(async () => {
    operate = await openOperate({ statusIntervalMilliseconds: STATUS_MILLISECONDS });
    for (let source = 0; source < SOURCES; source += 1) {
      const broken = Array.from({ length: BROKEN_EACH }, (_, index) => `{"broken": ${source}, ${index}`);
      await deliver(operate.world.pipeline.ingest, broken, `milepost.trips-${source}`);
    }
  });
  afterAll(async () => await operate?.close());

  it('while the pipeline with 120 sources is followed, scrolled and paged', async () => {
    const { page } = await operate.open();
    await liveMark(page).waitFor();
    let updates = 0;
    // The page requests the health with every status that it processes.
    page.on('response', (response) => {
      if (response.url().endsWith('/readyz')) updates += 1;
    });
    const tasks = await tasksDuring(operate.browser, page, async () => {
      await page.getByText('Page 1 of 3').waitFor();
      await scrollThrough(page);
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('Page 2 of 3').waitFor();
      await scrollThrough(page);
      await expect.poll(() => updates, { timeout: 60_000 }).toBeGreaterThan(UPDATES);
    });
    expect(longestOf('120 sources', tasks)).toBeLessThan(MAX_MILLISECONDS);
  });

  it('while dead letters on two pages are selected and scrolled', async () => {
    const { page } = await operate.open('#/dead-letters');
    await liveMark(page).waitFor();
    const boxes = page.getByRole('checkbox', { name: /^Choose dead letter/ });
    await boxes.nth(99).waitFor();
    const tasks = await tasksDuring(operate.browser, page, async () => {
      await scrollThrough(page);
      for (const index of [0, 50, 99]) await boxes.nth(index).check();
      await page.getByRole('button', { name: 'Older' }).click();
      await page.getByRole('button', { name: 'Newer' }).waitFor();
      await scrollThrough(page);
    });
    expect(longestOf('100 dead letters', tasks)).toBeLessThan(MAX_MILLISECONDS);
  });
});
