import { tripId } from '@milepost/domain/trip-id';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { type ExploreWorld, openExplore } from '../support/console/explore.ts';
import { tasksDuring } from '../support/console/tasks.ts';

const LONGEST_MILLISECONDS = 50;
const FIRST_VIEW_MILLISECONDS = 1_000;
const PLAY_MILLISECONDS = 3_000;

function told(what: string, tasks: readonly number[]): number {
  const sum = tasks.reduce((total, task) => total + task, 0);
  const longest = Math.max(...tasks);
  process.stderr.write(`${what}: ${tasks.length} tasks, ${sum.toFixed(0)} ms, the longest ${longest.toFixed(1)} ms\n`);
  return longest;
}

describeWithBrowser('Explore stays fluid', () => {
  let explore: ExploreWorld;

  beforeAll(async () => {
    explore = await openExplore({ hasBusy: true });
  });
  afterAll(async () => await explore?.close());

  it('while a trip of 20,000 points is played', async () => {
    const { page } = await explore.open(`#/trip/${tripId('acme', 'long')}`);
    await page.locator('.vehicle').waitFor();
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('300');
    await page.waitForTimeout(500);
    const now = async () => await page.getByRole('slider', { name: 'Moment of the trip' }).inputValue();
    const before = Number(await now());
    const tasks = await tasksDuring(explore.browser, page, async () => {
      await page.getByRole('button', { name: 'Play' }).click();
      await page.waitForTimeout(PLAY_MILLISECONDS);
    });
    expect(Number(await now())).toBeGreaterThan(before + 100_000);
    expect(tasks.length).toBeGreaterThan(20);
    expect(told('playing 20,000 points', tasks)).toBeLessThan(LONGEST_MILLISECONDS);
  });

  it('while a driver of 3,000 trips is loaded, sorted and turned over', async () => {
    const { page } = await explore.open('#/driver/busy');
    await page
      .getByText('183 days driven')
      .or(page.getByText(/18\d days driven/))
      .waitFor();
    const tasks = await tasksDuring(explore.browser, page, async () => {
      await page.getByRole('button', { name: '6 months' }).click();
      await page.getByText('3,000 trips.').waitFor();
      await page.getByRole('button', { name: /^Distance/ }).click();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('Page 2 of 60').waitFor();
    });
    expect(told('3,000 trips', tasks)).toBeLessThan(3 * LONGEST_MILLISECONDS);
  });

  it('from the first view on, which takes less than a second of work', async () => {
    const { page } = await explore.open();
    const tasks = await tasksDuring(explore.browser, page, async () => {
      const begin = performance.now();
      await page.reload();
      await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
      process.stderr.write(`first view: shown after ${(performance.now() - begin).toFixed(0)} ms\n`);
    });
    told('first view', tasks);
    expect(tasks.reduce((sum, task) => sum + task, 0)).toBeLessThan(FIRST_VIEW_MILLISECONDS);
  });
});
