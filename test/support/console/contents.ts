import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

interface SavedFile {
  name: string;
  text: string;
}

/** Presses a button that starts a download and returns the downloaded file. */
export async function savedFile(button: Locator): Promise<SavedFile> {
  const [download] = await Promise.all([button.page().waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

/** Returns the visible text of each cell, row by row, including the header. Line breaks become spaces. */
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

/** Returns the options that a field of a form suggests. `index` counts only fields with suggestions. */
export async function suggestionsOf(form: Locator, index: number): Promise<(string | null)[]> {
  // A single step does all of this. With two steps, the test would wait for an option that is replaced between them.
  return await form
    .locator('datalist')
    .nth(index)
    .locator('option')
    .evaluateAll((options) => options.map((option) => option.getAttribute('value')));
}

/** Waits until the main part of the page shows a text. */
export async function expectShown(page: Page, text: string | RegExp): Promise<void> {
  const main = page.getByRole('main');
  const poll = expect.poll(async () => (await main.allInnerTexts()).join('\n'));
  await (typeof text === 'string' ? poll.toContain(text) : poll.toMatch(text));
}
