import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from './accessibility.ts';

/** The colour schemes and sizes in which tests check every view. */
export const LOOKS = [
  ['light-wide', { colorScheme: 'light', viewport: { width: 1280, height: 900 } }],
  ['dark-wide', { colorScheme: 'dark', viewport: { width: 1280, height: 900 } }],
  ['light-phone', { colorScheme: 'light', viewport: { width: 375, height: 740 } }],
  ['dark-phone', { colorScheme: 'dark', viewport: { width: 375, height: 740 } }],
] as const;

/** A view: its name, its address, and the text that it shows when it is complete. */
export type TestedView = [name: string, hash: string, ready: RegExp];

/** Each view in each look, for `it.each`. */
export function inEachVariant(views: readonly TestedView[]) {
  return views.flatMap(([name, hash, ready]) => LOOKS.map(([look, options]) => ({ name, hash, ready, look, options })));
}

/** Creates the directory for a bundle's screenshots. Git ignores it. */
export async function makeScreenshots(bundle: string): Promise<string> {
  const folder = join(import.meta.dirname, '../../../results', bundle);
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Takes a screenshot of a complete page. Expects no accessibility violation and no horizontal overflow. */
export async function expectValidView(page: Page, picture: string): Promise<void> {
  await expect.poll(async () => await page.locator('.loading').count(), { timeout: 60_000 }).toBe(0);
  await page.screenshot({ path: picture, fullPage: true });
  expect(await violationsOf(page)).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}
