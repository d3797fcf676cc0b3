import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A tab, and what its page says on its console as a warning or error, and what it throws. */
export interface Tab {
  page: Page;
  complaints: string[];
}

interface TabOptions extends BrowserContextOptions {
  /** The key or token that the visitor has entered; null for none. */
  secret: string | null;
  /** However slow the machine is: what is missing then does not come. */
  longestWaitMilliseconds: number;
}

/** Opens an address in a tab of its own session. */
export async function openTab(
  browser: Browser,
  address: string,
  { secret, longestWaitMilliseconds, ...options }: TabOptions,
): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  if (secret !== null) {
    await context.addInitScript((text) => {
      if (sessionStorage.getItem('visited') === null) sessionStorage.setItem('milepost-key', text);
      sessionStorage.setItem('visited', 'yes');
    }, secret);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(longestWaitMilliseconds);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(address);
  return { page, complaints };
}
