import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from './accessibility.ts';

/** How every view is looked at. */
export const LOOKS = [
  ['light-wide', { colorScheme: 'light', viewport: { width: 1360, height: 900 } }],
  ['dark-wide', { colorScheme: 'dark', viewport: { width: 1360, height: 900 } }],
  ['light-phone', { colorScheme: 'light', viewport: { width: 375, height: 740 } }],
  ['dark-phone', { colorScheme: 'dark', viewport: { width: 375, height: 740 } }],
] as const;

/** A view: its name, its address, and the text that stands there once it is complete. */
export type LookedAt = [name: string, hash: string, ready: RegExp];

/** Each view in each look, for `it.each`. */
export function inEachLook(views: readonly LookedAt[]) {
  return views.flatMap(([name, hash, ready]) => LOOKS.map(([look, options]) => ({ name, hash, ready, look, options })));
}

/** Makes the folder of a bundle's pictures. Git ignores it. */
export async function makeScreenshots(bundle: string): Promise<string> {
  const folder = join(import.meta.dirname, '../../../results', bundle);
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Takes a picture of a whole page that has everything, and expects that it breaks no rule and is not too wide. */
export async function expectSoundView(page: Page, picture: string): Promise<void> {
  await expect.poll(async () => await page.locator('.loading').count()).toBe(0);
  await page.screenshot({ path: picture, fullPage: true });
  expect(await violationsOf(page)).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}
