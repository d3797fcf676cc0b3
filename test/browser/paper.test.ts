import { join } from 'node:path';
import { tripId } from '@milepost/domain/trip-id';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { REGULAR } from '../support/console/known-fleet.ts';
import { picturesOf } from '../support/console/looks.ts';
import { it, liveMark } from '../support/console/operate.ts';

const A4_PIXELS = 794;

interface Sheet {
  rows: number;
  theme: string;
  mapWidth: number;
  /** The number of pixels drawn on the map. */
  drawn: number;
}

/** Records the page's state when the browser prints it, after the page's own handlers have run. */
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

/** Prints a page to a PDF file in `results/paper`. Returns the page's state at that time. */
async function print(page: Page, name: string): Promise<Sheet> {
  await page.evaluate(WATCH_PAPER);
  await page.pdf({
    path: join(picturesOf('paper'), `${name}.pdf`),
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
  it('a trip is printed with a map as wide as the page, and then returns to its screen layout', async ({ explore }) => {
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

  it('a table contains all rows, whatever page is shown', async ({ known }) => {
    const { page } = await known.open(`#/driver/${REGULAR}?from=2024-11-01`);
    await page.getByText('230 trips.').waitFor();
    expect((await print(page, 'driver')).rows).toBeGreaterThanOrEqual(230);
    await page.getByText('Page 1 of 5').waitFor();
    expect(await controls(page)).toEqual([]);
  });

  it('the pipeline has no controls', async ({ operate }) => {
    const { page } = await operate.open();
    await liveMark(page).waitFor();
    await page.locator('.rates canvas').first().waitFor();
    await print(page, 'pipeline');
    expect(await controls(page)).toEqual([]);
  });
});
