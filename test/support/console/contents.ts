import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Presses a button that starts a download. Returns the file's name and text. */
export async function savedFile(button: Locator): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([button.page().waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

/**
 * Returns the visible text of each cell, row by row, including the header. Line breaks become spaces. Everything is
 * read in one step, because the table could change between two steps.
 */
export async function rowsOf(table: Locator): Promise<string[][]> {
  return await table.evaluate((element) =>
    [...element.querySelectorAll('tr')].map((row) =>
      [...row.querySelectorAll('th, td')].map((cell) => cell.innerText.replaceAll(/\s+/g, ' ').trim()),
    ),
  );
}

/** Returns the text of a column's cells without its header. */
export async function columnOf(table: Locator, title: string): Promise<string[]> {
  const [titles = [], ...rows] = await rowsOf(table);
  const index = titles.findIndex((each) => each.replace(/ [↑↓]$/, '') === title);
  return rows.map((row) => row[index] ?? `no column ${title}`);
}

/** Returns the address of each link, exactly as the page states it. */
export async function hrefsOf(links: Locator): Promise<(string | null)[]> {
  return await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
}

/** Waits until the main part of the page shows a string. */
export async function expectShown(page: Page, text: string | RegExp): Promise<void> {
  const poll = expect.poll(async () => (await page.getByRole('main').allInnerTexts()).join('\n'));
  await (typeof text === 'string' ? poll.toContain(text) : poll.toMatch(text));
}

/** Delays the page's requests for these addresses until the returned function is called. */
export async function hold(page: Page, addresses: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    await promise;
    // The page may have aborted the request.
    await route.continue().catch(() => {});
  });
  return resolve;
}
