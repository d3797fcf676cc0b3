import type { Locator, Page } from 'playwright-core';

/** Returns the text of each cell in a table. The first row contains the column headers. */
export async function readTable(scope: Page | Locator, caption: string): Promise<string[][]> {
  const table = scope.getByRole('table', { name: caption, exact: true });
  // Everything is read in one step. Reading a hundred rows one by one would take seconds, and the table could change
  // meanwhile.
  return await table.evaluate((element) =>
    [...element.querySelectorAll('tr')].map((row) =>
      [...row.querySelectorAll('th, td')].map((cell) => cell.textContent ?? ''),
    ),
  );
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

/** One of the API's times as views show it, such as `5 Jan 2025, 08:00:05`, or a dash for null. */
export function shownTime(time: string | null): string {
  if (time === null) return '–';
  const [, day, rest, clock] = /^\w+, (\d+) (\w+ \d+) ([\d:]+) GMT$/.exec(new Date(time).toUTCString()) ?? [];
  return `${Number(day)} ${rest}, ${clock}`;
}

/** One of the API's dates as views show it, such as `5 Jan 2025`. */
export function shownDate(date: string): string {
  return shownTime(`${date}T00:00:00Z`).replace(/, .*/, '');
}

/** An integer as views show it, with commas between thousands, or a dash for null. */
export function shownInteger(value: number | null): string {
  return value === null ? '–' : String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** The number of rows that each of two read tables contains for a day. */
interface Day {
  day: string | null;
  before: number;
  after: number;
}

/** The rows, without the header, in the table of the days on which two read tables differ. */
export function shownDays(days: readonly Day[]): string[][] {
  return days.map(({ day, before, after }) => {
    const change = `${after > before ? '+' : '−'}${shownInteger(Math.abs(after - before))}`;
    return [
      day === null ? 'no day' : shownDate(day),
      shownInteger(before),
      shownInteger(after),
      before === after ? 'values differ' : change,
    ];
  });
}
