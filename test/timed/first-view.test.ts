import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { openExplore } from '../support/console/explore.ts';
import { liveMark, openOperate } from '../support/console/operate.ts';

const MAX_MILLISECONDS = 1_000;
const ROUNDS = 5;
const WORK_MICROSECONDS = 50_000;

const median = (numbers: readonly number[]) =>
  numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? NaN;

/**
 * Returns how many times longer some work takes now than on an idle machine, which is its elapsed time divided by its
 * processor time.
 */
function slowdown(): number {
  const begin = performance.now();
  const used = process.threadCpuUsage();
  const microseconds = () => {
    const { user, system } = process.threadCpuUsage(used);
    return user + system;
  };
  while (microseconds() < WORK_MICROSECONDS);
  return Math.max(1, ((performance.now() - begin) * 1_000) / microseconds());
}

/** Returns how long it takes until an uncached page can be used, converted to an idle machine. */
async function firstView(what: string, open: () => Promise<{ page: Page }>, ready: (page: Page) => Promise<void>) {
  const times: number[] = [];
  const slowdowns: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    slowdowns.push(slowdown());
    const begin = performance.now();
    const { page } = await open();
    await ready(page);
    times.push(performance.now() - begin);
    slowdowns.push(slowdown());
    await page.context().close();
  }
  const rounded = times.map((time) => time.toFixed(0)).join(', ');
  const factor = median(slowdowns);
  process.stderr.write(
    `${what}: shown after ${rounded} ms, on a machine slowed down by a factor of ${factor.toFixed(2)}\n`,
  );
  return median(times) / factor;
}

describeWithBrowser('the first view', () => {
  it('of Explore can be used within one second', async () => {
    const explore = await openExplore();
    try {
      const ready = async (page: Page) => await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
      expect(await firstView('Explore', explore.open, ready)).toBeLessThan(MAX_MILLISECONDS);
    } finally {
      await explore.close();
    }
  });

  it('of Operate can be used within one second', async () => {
    const operate = await openOperate();
    try {
      const ready = async (page: Page) => {
        await liveMark(page).waitFor();
        await page.getByRole('table', { name: 'Projections' }).waitFor();
      };
      expect(await firstView('Operate', operate.open, ready)).toBeLessThan(MAX_MILLISECONDS);
    } finally {
      await operate.close();
    }
  });
});
