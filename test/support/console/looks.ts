import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AxeResults, source } from 'axe-core';
import { expect } from 'vitest';
import type { Tab } from './browser.ts';

declare global {
  var axe: { run: () => Promise<AxeResults> };
}

/** The colour schemes and window sizes in which tests check every view. */
const LOOKS = [
  ['dark-phone', 'dark', { width: 375, height: 740 }],
  ['light-wide', 'light', { width: 1280, height: 900 }],
] as const;

/** The initial look of a tab. Pages then change to the other look without being reloaded. */
export const FIRST_LOOK = { colorScheme: LOOKS[0][1], viewport: LOOKS[0][2] };

/** A view's name, its address, and the text shown when the view is complete. */
export type TestedView = [name: string, hash: string, ready: RegExp];

/** The output directory for an application's pictures, which Git ignores. */
export function picturesOf(application: 'explore' | 'operate' | 'paper'): string {
  const folder = join(import.meta.dirname, '../../../results', application);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Takes a screenshot of the whole page in each of the `LOOKS`. In each of them, the page must comply with WCAG 2.2 AA
 * and good practice, and must not overflow horizontally. The page must not log errors, except about unsuccessful
 * responses. On a busy machine, a readiness check may take longer than its limit of 800 ms and then returns 503.
 *
 * @param picture the path of the screenshots, to which each look's name is added
 */
export async function expectValidView({ page, complaints }: Tab, picture: string): Promise<void> {
  await expect.poll(async () => await page.locator('.loading').count()).toBe(0);
  await page.evaluate(source);
  for (const [look, colorScheme, viewport] of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await page.screenshot({ path: `${picture}-${look}.png`, fullPage: true });
    const { violations } = await page.evaluate(async () => await globalThis.axe.run());
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    );
    expect(found, look).toEqual([]);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, look).toBeLessThanOrEqual(0);
  }
  expect(complaints.filter((complaint) => !/404 \(Not Found\)|503 \(Service Unavailable\)/.test(complaint))).toEqual(
    [],
  );
}
