import { addDays, type CalendarDate, dateOf } from '@milepost/domain/calendar';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { expectShown, expectTexts, hold, hrefsOf, rowsOf } from '../support/console/contents.ts';
import { type ExploreWorld, it } from '../support/console/explore.ts';
import { BEGINNER, KNOWN_DRIVER, KNOWN_NOW, TRACKED } from '../support/console/known-fleet.ts';
import { shownDate } from '../support/console/shown.ts';

const ID = encodeURIComponent(KNOWN_DRIVER);
const TODAY = dateOf(KNOWN_NOW);
const EARLIEST = '2024-09-20';
const FIRST_MONDAY = '2024-09-16';
const LAST_MONDAY = '2025-03-17';

interface Figures {
  fm_score: number | null;
  fm_grade: string | null;
  trip_count: number;
}

interface CalendarCell {
  kind: string;
  title: string | null;
  text: string;
  href: string | null;
}

/** Returns each cell's class, title, text and link, row by row. */
async function cellsOf(page: Page): Promise<CalendarCell[][]> {
  return await calendarOf(page)
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('td')].map((cell) => {
          const link = cell.querySelector('a');
          const { className, title, textContent } = link ?? cell;
          return { kind: className, title, text: textContent ?? '', href: link?.getAttribute('href') ?? null };
        }),
      ),
    );
}

const calendarOf = (page: Page): Locator => page.getByRole('table', { name: 'Calendar of days with trips, by score' });
const scoresOf = (page: Page) => page.getByRole('table', { name: 'Scores by week' });

const open = async (explore: ExploreWorld, driverId: string) =>
  (await explore.open(`#/driver/${encodeURIComponent(driverId)}`)).page;

/** Returns the service's figures for a driver's day or week. */
async function figures(explore: ExploreWorld, period: 'daily' | 'weekly', date: string): Promise<Figures> {
  const path = `/api/v1/driver-aggregate/${period}?start_date=${date}&driver_id=${ID}`;
  return (await explore.world.get(path)).json().data[0].driving_summary;
}

describeWithBrowser("a driver's view", () => {
  it.for([
    [
      KNOWN_DRIVER,
      'Ada Byron',
      [`Id ${KNOWN_DRIVER}`, 'Alias =Countess', 'ada@example.org', 'First drive 12 Sep 2024', 'Last drive 20 Mar 2025'],
      [`#/summary/week/?driver=${new URLSearchParams({ driver: KNOWN_DRIVER }).toString().slice('driver='.length)}`],
    ],
    [BEGINNER, 'beginner', ['Id beginner', 'First drive 20 Mar 2025', 'Last drive 20 Mar 2025'], []],
    ['idle-007', 'Idle 7', ['Id idle-007'], []],
  ] as const)(
    'shows the facts about %s, and a link to summaries if there are any',
    async ([id, name, facts, links], { known }) => {
      const page = await open(known, id);
      await expect.poll(async () => await page.getByRole('heading', { level: 1 }).innerText()).toBe(name);
      await expect.poll(async () => await page.locator('.loading').count()).toBe(0);
      await expectTexts(page.locator('.facts > span'), facts);
      expect(await hrefsOf(page.getByRole('link', { name: 'Weekly summary' }))).toEqual(links);
      const hasTrips = facts.length > 1;
      await expectTexts(
        page.getByRole('heading', { level: 2 }),
        hasTrips ? ['Driven days', 'Score by week', 'Trips'] : ['Driven days'],
      );
      expect(await page.getByText('The driver has no trips yet.').count()).toBe(hasTrips ? 0 : 1);
      if (id !== BEGINNER) return;
      // The first trip is from today, so there is only one week, without a score.
      const kinds = (await cellsOf(page)).map(([cell]) => cell?.kind);
      expect(kinds).toEqual(['idle', 'idle', 'idle', 'today', 'outside', 'outside', 'outside']);
      await page.getByText('Scores as a table').click();
      expect((await rowsOf(scoresOf(page))).slice(1)).toEqual([['17 Mar 2025', '–', '0']]);
    },
  );

  it('shows each day of six months in its place, with the score and a link for each driven day', async ({ known }) => {
    const expected: CalendarCell[][] = [];
    for (let weekday = 0; weekday < 7; weekday += 1) {
      const row: CalendarCell[] = [];
      for (let monday: CalendarDate = FIRST_MONDAY; monday <= LAST_MONDAY; monday = addDays(monday, 7)) {
        const day = addDays(monday, weekday);
        const isWithin = day >= EARLIEST && day <= TODAY;
        const { fm_score, fm_grade, trip_count } =
          isWithin && day < TODAY
            ? await figures(known, 'daily', day)
            : { fm_score: null, fm_grade: null, trip_count: 0 };
        if (fm_score === null) {
          const kind = isWithin ? (day === TODAY ? 'today' : 'idle') : 'outside';
          row.push({ kind, title: isWithin ? shownDate(day) : '', text: '', href: null });
          continue;
        }
        const title = `${shownDate(day)}: score ${fm_score}, ${fm_grade}, ${trip_count} trip${trip_count === 1 ? '' : 's'}`;
        const href = `#/driver/${ID}?from=${day}&through=${day}`;
        row.push({ kind: `day ${fm_grade}`, title, text: `${Math.round(fm_score)}, ${title}`, href });
      }
      expected.push(row);
    }
    const page = await open(known, KNOWN_DRIVER);
    await expectShown(page, '5 days driven in six months');
    expect(await cellsOf(page)).toEqual(expected);
    const grades = expected.flat().flatMap(({ href, kind }) => (href === null ? [] : [kind.replace('day ', '')]));
    expect(grades.toSorted()).toEqual(['excellent', 'excellent', 'fair', 'good', 'poor']);
    await expectTexts(calendarOf(page).getByRole('rowheader'), 'Mon Tue Wed Thu Fri Sat Sun'.split(' '));
    const heads = await calendarOf(page)
      .locator('thead th')
      .evaluateAll((all) => all.map(({ children }) => [...children].map(({ textContent }) => textContent)));
    const mondays = Array.from({ length: 27 }, (_, week) => addDays(FIRST_MONDAY, 7 * week));
    expect(heads.map(([week]) => week)).toEqual(mondays.map((monday) => `Week of ${shownDate(monday)}`));
    // The first week shows the name of its month, as does each week that contains the first day of a month.
    const months = heads.flatMap(([, month], index) => (month === '' ? [] : [`${index} ${month}`]));
    expect(months).toEqual(['0 Sep', '2 Oct', '6 Nov', '10 Dec', '15 Jan', '19 Feb', '23 Mar']);
    await expectTexts(page.locator('.legend > span'), ['85+ excellent', '70+ good', '50+ fair', '0+ poor']);
  });

  it("shows each week's score in a table, oldest first, with a link to the explanation", async ({ known }) => {
    const page = await open(known, KNOWN_DRIVER);
    await page.getByText('Scores as a table').click();
    const table = scoresOf(page);
    await table.waitFor();
    const expected = [['Week of', 'Score', 'Trips']];
    const hrefs: string[] = [];
    for (let monday: CalendarDate = '2024-09-23'; monday <= LAST_MONDAY; monday = addDays(monday, 7)) {
      const { fm_score, fm_grade, trip_count } = await figures(known, 'weekly', monday);
      const score = fm_score === null ? '–' : `${fm_score.toFixed(1)} ${fm_grade} , why this score`;
      expected.push([shownDate(monday), score, String(trip_count)]);
      if (fm_score !== null) hrefs.push(`#/score/week/${monday}/${ID}`);
    }
    expect(await rowsOf(table)).toEqual(expected);
    expect(hrefs).toHaveLength(3);
    expect(await hrefsOf(table.getByRole('link'))).toEqual(hrefs);
  });

  it('begins with the newest week if the calendar is wider than the screen', async ({ known }) => {
    const { page } = await known.open(`#/driver/${ID}`, { viewport: { width: 375, height: 740 } });
    const frame = page.getByRole('region', { name: 'Calendar of days with trips' });
    await frame.waitFor();
    const hidden = await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(hidden).toBeGreaterThan(100);
    await expect
      .poll(async () => await frame.evaluate(({ scrollLeft }) => Math.ceil(scrollLeft)))
      .toBeGreaterThanOrEqual(hidden);
  });

  it('says nothing but that a driver is unknown', async ({ known }) => {
    const page = await open(known, 'nobody/1');
    await expectShown(page, 'Not found');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('nobody/1');
    await expect.poll(async () => await page.locator('.facts, details, table, .loading').count()).toBe(0);
    await expectTexts(page.getByRole('heading', { level: 2 }), ['Not found']);
  });

  it('says that days and weeks are loading until all of them have arrived', async ({ known }) => {
    const { page } = await known.open();
    const release = await hold(page, '**/driver-aggregate/daily**');
    await known.go(page, `#/driver/${ID}`);
    await expectShown(page, 'Loading days …');
    await expectShown(page, 'Loading weeks …');
    expect(await page.getByRole('heading', { name: 'Score by week' }).count()).toBe(0);
    release();
    await expectShown(page, '5 days driven in six months');
    await expectShown(page, 'Score by week');
    expect(await page.getByText(/^Loading/).count()).toBe(0);
  });

  it('forgets what was selected for another driver', async ({ known }) => {
    const page = await open(known, TRACKED);
    await expectShown(page, '11 trips.');
    const boxes = page.getByRole('checkbox');
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await expectShown(page, 'Compare these two');
    await known.go(page, `#/driver/${ID}`);
    await expectShown(page, '4 trips.');
    expect(await page.getByRole('link', { name: 'Compare these two' }).count()).toBe(0);
    expect(await page.getByRole('checkbox', { disabled: true }).count()).toBe(0);
  });
});
