import { chromium } from 'playwright-core';
import { it } from 'vitest';
import { chromiumFile, needs } from '../programs.ts';
import { describeWithPostgres } from '../service-suites.ts';

/** A test in this machine's browser, which runs in headless mode. Each worker starts the browser once. */
export const test = it.extend(
  'browser',
  { scope: 'worker' },
  // biome-ignore lint/correctness/noEmptyPattern: This pattern tells Vitest that the fixture needs no other fixtures.
  async ({}, { onCleanup }) => {
    // Tests run as root in containers, where Chromium's own sandbox cannot start.
    const browser = await chromium.launch({ executablePath: chromiumFile(), args: ['--no-sandbox'] });
    onCleanup(async () => await browser.close());
    return browser;
  },
);

/** Declares a suite that needs a browser and PostgreSQL. Without them, it is skipped. */
export function describeWithBrowser(title: string, body: () => void): void {
  describeWithPostgres(title, body, needs('chromium'));
}
