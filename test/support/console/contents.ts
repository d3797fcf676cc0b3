import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The button with exactly this name. */
export const button = (scope: Page | Locator, name: string | RegExp) =>
  scope.getByRole('button', { name, exact: true });

export const dialog = (page: Page) => page.getByRole('dialog');

/** A button in the open dialog. */
export const inDialog = (page: Page, name: string) => button(dialog(page), name);

/** The part of the address that names the view. */
export const hashOf = (page: Page) => new URL(page.url()).hash;

/** Presses a button that starts a download. Returns the file's name and text. */
export async function savedFile(control: Locator): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([control.page().waitForEvent('download'), control.click()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

/** Presses the button that saves a table. Returns the file's name and its lines, without the empty last one. */
export async function savedLines(page: Page): Promise<{ name: string; lines: string[] }> {
  const { name, text } = await savedFile(button(page, 'Download CSV'));
  return { name, lines: text.replace(/\r\n$/, '').split('\r\n') };
}

/**
 * Returns the text of each cell, row by row, including the header. White space becomes single spaces. Everything is read
 * in one step: reading a hundred rows one by one would take seconds, and the table could change meanwhile.
 *
 * @param property `innerText` for the visible text
 */
export async function rowsOf(table: Locator, property: 'innerText' | 'textContent' = 'innerText'): Promise<string[][]> {
  return await table.evaluate(
    (element, name) =>
      [...element.querySelectorAll('tr')].map((row) =>
        [...row.querySelectorAll('th, td')].map((cell) => cell[name].replaceAll(/\s+/g, ' ').trim()),
      ),
    property,
  );
}

/** Returns the text of each cell in the table with this caption, including text that is not visible. */
export async function readTable(scope: Page | Locator, caption: string): Promise<string[][]> {
  return await rowsOf(scope.getByRole('table', { name: caption, exact: true }), 'textContent');
}

/** Waits until the table with this caption has these rows below its header. */
export async function expectRows(scope: Page | Locator, caption: string, rows: readonly unknown[]): Promise<void> {
  await expect.poll(async () => (await readTable(scope, caption)).slice(1)).toEqual(rows);
}

/** Waits until elements have these visible texts. */
export async function expectTexts(elements: Locator, texts: readonly unknown[]): Promise<void> {
  await expect.poll(async () => await elements.allInnerTexts()).toEqual(texts);
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

/** Returns the text and the target of each link in an element. */
export async function readLinks(scope: Locator): Promise<[string, string | null][]> {
  return await scope
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => [link.textContent ?? '', link.getAttribute('href')]));
}

/** Returns the names and values of the facts below a view's heading. */
export async function readFacts(page: Page): Promise<[string, string | undefined][]> {
  const facts = page.locator('dl.facts');
  await facts.waitFor();
  const values = await facts.locator('dd').allInnerTexts();
  return (await facts.locator('dt').allInnerTexts()).map((name, index) => [name, values[index]]);
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
