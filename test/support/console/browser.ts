import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { it, onTestFinished } from 'vitest';
import { chromiumFile, needs } from '../programs.ts';
import { describeWithPostgres } from '../service-suites.ts';

/** High enough for a slow machine. An element that is still missing after this time will never appear. */
const MAX_WAIT_MILLISECONDS = 60_000;

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

/** A tab, with the warnings and errors in its console and the errors thrown by its page. */
export interface Tab {
  page: Page;
  complaints: string[];
}

interface TabOptions extends BrowserContextOptions {
  /** The key or token that the visitor has entered; null if there is none. */
  secret: string | null;
  /** The time, in epoch milliseconds, at which the browser's clock stands still. Timers run as usual. */
  time?: number;
}

/** Opens an address in a tab with its own browser context, which is closed when the test ends. */
export async function openTab(
  browser: Browser,
  address: string,
  { secret, time, ...options }: TabOptions,
): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  onTestFinished(async () => await context.close());
  if (time !== undefined) await context.clock.setFixedTime(time);
  if (secret !== null) {
    await context.addInitScript((text) => {
      if (sessionStorage.getItem('visited') === null) sessionStorage.setItem('milepost-key', text);
      sessionStorage.setItem('visited', 'yes');
    }, secret);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(MAX_WAIT_MILLISECONDS);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(address);
  return { page, complaints };
}
