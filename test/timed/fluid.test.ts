import { tripId } from '@milepost/domain/trip-id';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { type ExploreWorld, openExplore } from '../support/console/explore.ts';
import { scrollThrough } from '../support/console/scrolling.ts';
import { longestOf, MAX_MILLISECONDS, tasksDuring } from '../support/console/tasks.ts';

const PLAYED_MILLISECONDS = 600_000;

const moment = async (page: Page) => Number(await page.getByRole('slider', { name: 'Time in the trip' }).inputValue());

describeWithBrowser('Explore stays responsive', () => {
  let explore: ExploreWorld;

  beforeAll(async () => {
    explore = await openExplore({ hasBusy: true });
  });
  afterAll(async () => await explore?.close());

  it('while a trip with 20,000 points is played, scrolled and zoomed', async () => {
    const { page } = await explore.open(`#/trip/${tripId('acme', 'long')}`);
    await page.locator('.vehicle').waitFor();
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('300');
    await page.waitForLoadState('networkidle');
    const before = await moment(page);
    const tasks = await tasksDuring(explore.browser, page, async () => {
      await page.getByRole('button', { name: 'Play' }).click();
      await scrollThrough(page);
      await page.getByRole('button', { name: 'Zoom in' }).click();
      await page.getByRole('button', { name: 'Zoom out' }).click();
      await expect
        .poll(async () => await moment(page), { timeout: 60_000 })
        .toBeGreaterThan(before + PLAYED_MILLISECONDS);
    });
    expect(tasks.length).toBeGreaterThan(20);
    expect(longestOf('playing 20,000 points', tasks)).toBeLessThan(MAX_MILLISECONDS);
  });

  it('while a driver with 3,000 trips is loaded, sorted, scrolled and paged', async () => {
    const { page } = await explore.open('#/driver/busy');
    await page.getByText(/18\d days driven/).waitFor();
    const tasks = await tasksDuring(explore.browser, page, async () => {
      await page.getByRole('button', { name: '6 months' }).click();
      await page.getByText('3,000 trips.').waitFor();
      for (const column of [/^Distance/, /^Duration/, /^Start/, /^Brakes/, /^Brakes/]) {
        await page.getByRole('button', { name: column }).click();
        await scrollThrough(page);
      }
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('Page 2 of 60').waitFor();
    });
    expect(longestOf('3,000 trips', tasks)).toBeLessThan(MAX_MILLISECONDS);
  });
});
