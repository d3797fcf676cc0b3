import { tripId } from '@milepost/domain/trip-id';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { openExplore } from '../support/console/explore.ts';
import { openOperate } from '../support/console/operate.ts';

const MESSAGE = 'This part of the page could not be loaded.';

/** Removes a part of the pages, as an upgrade with other file names does. Returns a function that restores it. */
async function removePart(page: Page, files: string): Promise<() => Promise<void>> {
  await page.route(files, async (route) => await route.fulfill({ status: 404, json: {} }));
  return async () => await page.unroute(files);
}

describeWithBrowser('a part of the page that the server no longer has', () => {
  it('is reported in Explore, and appears after a reload', async () => {
    const explore = await openExplore();
    try {
      const { page } = await explore.open();
      await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
      const restorePart = await removePart(page, '**/assets/map-*');
      await page.goto(`${explore.origin}/explore/#/trip/${tripId('acme', 'seen')}`);
      await page.getByRole('alert').getByText(MESSAGE).waitFor();
      // All other parts are shown.
      await page.getByRole('table', { name: 'Trip events' }).waitFor();
      await restorePart();
      await page.getByRole('button', { name: 'Reload the page' }).click();
      await page.locator('.vehicle').waitFor();
      expect(await page.getByText(MESSAGE).count()).toBe(0);
      expect(page.url()).toContain('#/trip/');
    } finally {
      await explore.close();
    }
  });

  it('is reported in Operate, and appears after a reload', async () => {
    const operate = await openOperate();
    try {
      const { page } = await operate.open('#/replays');
      await page.getByText('No replays yet').waitFor();
      const restorePart = await removePart(page, '**/assets/rate-chart-*');
      await page.getByRole('link', { name: 'Pipeline' }).click();
      await page.getByRole('alert').getByText(MESSAGE).first().waitFor();
      await page.getByRole('table', { name: 'Projections' }).waitFor();
      await restorePart();
      await page.getByRole('button', { name: 'Reload the page' }).first().click();
      await page.locator('.rates canvas').first().waitFor();
      expect(await page.getByText(MESSAGE).count()).toBe(0);
    } finally {
      await operate.close();
    }
  });
});
