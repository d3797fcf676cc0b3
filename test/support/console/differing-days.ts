import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { readTable, shownDate, shownInteger } from './reading.ts';

/** How many rows of a day each of two read tables has. */
interface Day {
  day: string | null;
  before: number;
  after: number;
}

interface Expected {
  days: readonly Day[];
  before: string;
  after: string;
}

const PIXELS_PER_DAY = 14;
const HEIGHT = 60;

function changeOf({ before, after }: Day): string {
  if (before === after) return 'values differ';
  return `${after > before ? '+' : '−'}${shownInteger(Math.abs(after - before))}`;
}

/** Expects the table and the chart of the days on which two read tables differ. The days must fit on one page. */
export async function expectDifferingDays(page: Page, title: string, { days, before, after }: Expected): Promise<void> {
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  expect(await readTable(section, `Days that differ, ${before} and ${after}`)).toEqual([
    ['Day', `Rows ${before}`, `Rows ${after}`, 'Change'],
    ...days.map((each) => [
      each.day === null ? 'no day' : shownDate(each.day),
      shownInteger(each.before),
      shownInteger(each.after),
      changeOf(each),
    ]),
  ]);
  const chart = section.getByRole('img');
  expect(await chart.getAttribute('aria-label')).toBe(
    `Rows of ${days.length} days that differ: ${before} and ${after}`,
  );
  const max = Math.max(1, ...days.flatMap((each) => [each.before, each.after]));
  const named = days.flatMap(({ day }) => (day === null ? [] : [day]));
  const range = named.length > 0 ? ` from ${shownDate(named[0] ?? '')} to ${shownDate(named.at(-1) ?? '')}` : '';
  const caption = (await section.locator('figcaption').innerText()).replaceAll(/\s+/g, ' ').trim();
  expect(caption).toBe(`${before} ${after}, rows by day${range}; maximum ${shownInteger(max)}`);
  const bars = await chart.locator('rect').evaluateAll((rects) =>
    rects.map((rect) => ({
      kind: rect.getAttribute('class'),
      x: Number(rect.getAttribute('x')),
      bottom: Number(rect.getAttribute('y')) + Number(rect.getAttribute('height')),
      height: Number(rect.getAttribute('height')),
    })),
  );
  const close = (value: number): unknown => expect.closeTo(value, 3);
  expect(bars).toEqual(
    days.flatMap((each, index) => [
      { kind: 'before', x: index * PIXELS_PER_DAY, bottom: close(HEIGHT), height: close((each.before / max) * HEIGHT) },
      {
        kind: 'after',
        x: index * PIXELS_PER_DAY + 6,
        bottom: close(HEIGHT),
        height: close((each.after / max) * HEIGHT),
      },
    ]),
  );
  expect(Number(await chart.getAttribute('width'))).toBe(days.length * PIXELS_PER_DAY);
}
