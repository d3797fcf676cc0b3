import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { tripId } from '@milepost/domain/trip-id';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { type ExploreWorld, openExplore } from '../support/console/explore.ts';
import { liveMark, openOperate } from '../support/console/operate.ts';

/** The output directory, which Git ignores. */
const PAPER = join(import.meta.dirname, '../../results/paper');
const BUSY_TRIPS = 3_000;
const A4_PIXELS = 794;

interface Sheet {
  rows: number;
  theme: string;
  mapWidth: number;
  /** How many pixels the map's lines have. */
  drawn: number;
}

/** Records the state of the page when the browser prints it, after the page's own handlers have run. */
const WATCH_PAPER = `addEventListener('beforeprint', () => queueMicrotask(() => queueMicrotask(() => {
  const canvas = document.querySelector('.map canvas');
  const pixels = canvas?.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data ?? [];
  let drawn = 0;
  for (let index = 3; index < pixels.length; index += 4) if (pixels[index] !== 0) drawn += 1;
  globalThis.sheet = {
    rows: document.querySelectorAll('table:not(.calendar) tbody tr').length,
    theme: document.documentElement.dataset.theme,
    mapWidth: document.querySelector('.map')?.clientWidth ?? 0,
    drawn,
  };
})))`;

/** Prints a page into `results/paper`. Returns the page's state at that time. */
async function print(page: Page, name: string): Promise<Sheet> {
  await page.evaluate(WATCH_PAPER);
  await page.pdf({
    path: join(PAPER, `${name}.pdf`),
    format: 'A4',
    margin: { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' },
  });
  return await page.evaluate<Sheet>('sheet');
}

/** Returns the controls that are visible on paper. */
async function controls(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: 'print' });
  const seen = await page
    .locator('button, input, select, nav, [role=banner] *')
    .filter({ visible: true })
    .allInnerTexts();
  await page.emulateMedia({ media: 'screen' });
  return seen;
}

describeWithBrowser('on paper', () => {
  let explore: ExploreWorld;

  beforeAll(async () => {
    await mkdir(PAPER, { recursive: true });
    explore = await openExplore({ hasBusy: true });
  });
  afterAll(async () => await explore?.close());

  it('a trip is printed with a map as wide as the page, and then has its screen layout again', async () => {
    const { page } = await explore.open(`#/trip/${tripId('acme', 'long')}`, { colorScheme: 'dark' });
    await page.locator('.vehicle').waitFor();
    const width = async () => (await page.locator('.map').boundingBox())?.width;
    const before = await width();
    const sheet = await print(page, 'trip');
    expect(sheet).toMatchObject({ rows: 40, theme: 'light' });
    expect(sheet.mapWidth).toBeGreaterThan(0.8 * A4_PIXELS);
    expect(sheet.mapWidth).toBeLessThan(A4_PIXELS);
    expect(sheet.drawn).toBeGreaterThan(1_000);
    await expect.poll(width).toBe(before);
    expect(await page.locator('html').getAttribute('data-theme')).toBe('system');
    expect(await controls(page)).toEqual([]);
  });

  it('a table has all rows, whatever page is shown', async () => {
    const { page } = await explore.open('#/driver/busy');
    await page.getByText(/18\d days driven/).waitFor();
    await page.getByRole('button', { name: '6 months' }).click();
    await page.getByText('3,000 trips.').waitFor();
    const { rows } = await print(page, 'driver');
    expect(rows).toBeGreaterThanOrEqual(BUSY_TRIPS);
    await page.getByText('Page 1 of 60').waitFor();
    expect(await controls(page)).toEqual([]);
  });

  it('the pipeline has no controls', async () => {
    const operate = await openOperate();
    try {
      const { page } = await operate.open();
      await liveMark(page).waitFor();
      await page.locator('.rates canvas').first().waitFor();
      await print(page, 'pipeline');
      expect(await controls(page)).toEqual([]);
    } finally {
      await operate.close();
    }
  });
});
