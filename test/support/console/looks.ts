import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from './accessibility.ts';

/** The colour schemes and window sizes in which tests check every view. */
const LOOKS = [
  ['dark-phone', 'dark', { width: 375, height: 740 }],
  ['light-phone', 'light', { width: 375, height: 740 }],
  ['light-wide', 'light', { width: 1280, height: 900 }],
  ['dark-wide', 'dark', { width: 1280, height: 900 }],
] as const;

/** The look in which a tab opens. Pages then change to the other looks without being loaded again. */
export const FIRST_LOOK = { colorScheme: LOOKS[0][1], viewport: LOOKS[0][2] };

/** A view's name, its address, and the text that it shows when it is complete. */
export type TestedView = [name: string, hash: string, ready: RegExp];

/** Creates a directory, which Git ignores, for a bundle's screenshots. */
export async function makeScreenshots(bundle: string): Promise<string> {
  const folder = join(import.meta.dirname, '../../../results', bundle);
  await mkdir(folder, { recursive: true });
  return folder;
}

/**
 * Takes a screenshot of a complete page in each look. In none of them may the page violate an accessibility rule or
 * overflow horizontally.
 *
 * @param picture the path of the screenshots, to which the name of each look is added
 */
export async function expectValidView(page: Page, picture: string): Promise<void> {
  await expect.poll(async () => await page.locator('.loading').count(), { timeout: 60_000 }).toBe(0);
  for (const [look, colorScheme, viewport] of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await page.screenshot({ path: `${picture}-${look}.png`, fullPage: true });
    expect(await violationsOf(page), look).toEqual([]);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, look).toBeLessThanOrEqual(0);
  }
}
