import { addDays, type CalendarDate, dateOf } from '@milepost/domain/calendar';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { expectShown, hrefsOf, rowsOf } from '../support/console/contents.ts';
import { type ExploreWorld, openExplore } from '../support/console/explore.ts';
import { BEGINNER, KNOWN_DRIVER, KNOWN_NOW, knownRecords, REGULAR, TRACKED } from '../support/console/known-fleet.ts';

const ID = encodeURIComponent(KNOWN_DRIVER);
const TODAY = dateOf(KNOWN_NOW);
const EARLIEST = '2024-09-20';
const FIRST_MONDAY = '2024-09-16';
const LAST_MONDAY = '2025-03-17';
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A date as the views show it. */
const shown = (date: string) => {
  const [year, month, day] = date.split('-').map(Number);
  return `${day} ${MONTHS[(month ?? 0) - 1]} ${year}`;
};

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
async function cellsOf(calendar: Locator): Promise<CalendarCell[][]> {
  return await calendar.locator('tbody tr').evaluateAll((rows) =>
    rows.map((row) =>
      [...row.querySelectorAll('td')].map((cell) => {
        const link = cell.querySelector('a');
        const { className, title, textContent } = link ?? cell;
        return { kind: className, title, text: textContent ?? '', href: link?.getAttribute('href') ?? null };
      }),
    ),
  );
}

describeWithBrowser('the view of a driver', () => {
  let explore: ExploreWorld;
  /** A page with the view of `KNOWN_DRIVER`, for the tests that only read. */
  let known: Page;

  beforeAll(async () => {
    explore = await openExplore({ time: KNOWN_NOW, records: knownRecords() });
    known = (await open(KNOWN_DRIVER)).page;
  });
  afterAll(async () => await explore?.close());

  const open = async (driverId: string) => {
    // In this time zone, most moments are on a different day than in UTC.
    return await explore.open(`#/driver/${encodeURIComponent(driverId)}`, { timezoneId: 'Pacific/Auckland' });
  };
  const calendarOf = (page: Page) => page.getByRole('table', { name: 'Calendar of days with trips, by score' });
  /** Returns a driver's numbers for a day or a week as the service states them. */
  const figures = async (period: 'daily' | 'weekly', date: string, driverId = ID): Promise<Figures> => {
    const path = `/api/v1/driver-aggregate/${period}?start_date=${date}&driver_id=${driverId}`;
    return (await explore.world.get(path)).json().data[0].driving_summary;
  };

  it.each([
    [
      KNOWN_DRIVER,
      'Ada Byron',
      [`Id ${KNOWN_DRIVER}`, 'Alias =Countess', 'ada@example.org', 'First drive 12 Sep 2024', 'Last drive 20 Mar 2025'],
      [`#/summary/week/?driver=${new URLSearchParams({ driver: KNOWN_DRIVER }).toString().slice('driver='.length)}`],
    ],
    [
      REGULAR,
      'Van "3", red',
      ['Id regular', 'Alias Van "3", red', 'First drive 1 Nov 2024', 'Last drive 24 Feb 2025'],
      ['#/summary/week/?driver=regular'],
    ],
    [BEGINNER, 'beginner', ['Id beginner', 'First drive 20 Mar 2025', 'Last drive 20 Mar 2025'], []],
    ['idle-007', 'Idle 7', ['Id idle-007'], []],
  ])('has the facts of %s, and a link to summaries if there are any', async (driverId, name, facts, links) => {
    const { page, complaints } = await open(driverId);
    await expect.poll(async () => await page.getByRole('heading', { level: 1 }).innerText()).toBe(name);
    await expect.poll(async () => await page.locator('.loading').count()).toBe(0);
    expect(await page.locator('.facts > span').allInnerTexts()).toEqual(facts);
    expect(await hrefsOf(page.getByRole('link', { name: 'Weekly summary' }))).toEqual(links);
    const hasTrips = facts.length > 1;
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(
      hasTrips ? ['Driven days', 'Score by week', 'Trips'] : ['Driven days'],
    );
    expect(await page.getByText('The driver has no trips yet.').count()).toBe(hasTrips ? 0 : 1);
    expect(complaints).toEqual([]);
  });

  it('has each day of six months in its place, with the score and a link for each driven day', async () => {
    const expected: CalendarCell[][] = [];
    for (let weekday = 0; weekday < 7; weekday += 1) {
      const row: CalendarCell[] = [];
      for (let monday: CalendarDate = FIRST_MONDAY; monday <= LAST_MONDAY; monday = addDays(monday, 7)) {
        const day = addDays(monday, weekday);
        const isWithin = day >= EARLIEST && day <= TODAY;
        const { fm_score, fm_grade, trip_count } =
          isWithin && day < TODAY ? await figures('daily', day) : { fm_score: null, fm_grade: null, trip_count: 0 };
        if (fm_score === null) {
          const kind = isWithin ? (day === TODAY ? 'today' : 'idle') : 'outside';
          row.push({ kind, title: isWithin ? shown(day) : '', text: '', href: null });
          continue;
        }
        const trips = trip_count === 1 ? '1 trip' : `${trip_count} trips`;
        const title = `${shown(day)}: score ${fm_score}, ${fm_grade}, ${trips}`;
        const href = `#/driver/${ID}?from=${day}&through=${day}`;
        row.push({ kind: `day ${fm_grade}`, title, text: `${Math.round(fm_score)}, ${title}`, href });
      }
      expected.push(row);
    }
    await expectShown(known, '5 days driven in six months');
    expect(await cellsOf(calendarOf(known))).toEqual(expected);
    const grades = expected.flat().flatMap(({ href, kind }) => (href === null ? [] : [kind.replace('day ', '')]));
    expect(grades.toSorted()).toEqual(['excellent', 'excellent', 'fair', 'good', 'poor']);
    expect(expected[0]?.at(-1)?.title).toBe('17 Mar 2025: score 75.4, good, 2 trips');
  });

  it('names the weekdays, the weeks and the months of the calendar, and explains its colours', async () => {
    const calendar = calendarOf(known);
    expect(await calendar.getByRole('rowheader').allInnerTexts()).toEqual('Mon Tue Wed Thu Fri Sat Sun'.split(' '));
    const heads = await calendar
      .locator('thead th')
      .evaluateAll((all) => all.map(({ children }) => [...children].map(({ textContent }) => textContent)));
    const mondays = Array.from({ length: 27 }, (_, week) => addDays(FIRST_MONDAY, 7 * week));
    expect(heads.map(([week]) => week)).toEqual(mondays.map((monday) => `Week of ${shown(monday)}`));
    // The first week shows the name of its month, and so does each week that contains the first day of a month.
    const months = heads.flatMap(([, month], index) => (month === '' ? [] : [`${index} ${month}`]));
    expect(months).toEqual(['0 Sep', '2 Oct', '6 Nov', '10 Dec', '15 Jan', '19 Feb', '23 Mar']);
    const legend = known.locator('.legend > span');
    expect(await legend.allInnerTexts()).toEqual(['85+ excellent', '70+ good', '50+ fair', '0+ poor']);
    expect(await known.locator('.legend .swatch').evaluateAll((all) => all.map(({ className }) => className))).toEqual([
      'swatch excellent',
      'swatch good',
      'swatch fair',
      'swatch poor',
    ]);
  });

  it('begins with the newest week where the calendar is wider than the screen', async () => {
    const { page } = await explore.open(`#/driver/${ID}`, { viewport: { width: 375, height: 740 } });
    const frame = page.getByRole('region', { name: 'Calendar of days with trips' });
    await frame.waitFor();
    const [hidden = 0, left] = await frame.evaluate(({ scrollWidth, clientWidth, scrollLeft }) => [
      scrollWidth - clientWidth,
      Math.ceil(scrollLeft),
    ]);
    expect(hidden).toBeGreaterThan(100);
    expect(left).toBeGreaterThanOrEqual(hidden);
  });

  it('has the score of each week as a table, oldest first, with a link to its explanation', async () => {
    await expectShown(known, 'Scores as a table');
    await known.getByText('Scores as a table').click();
    const table = known.getByRole('table', { name: 'Scores by week' });
    await table.waitFor();
    const expected = [['Week of', 'Score', 'Trips']];
    const hrefs: string[] = [];
    for (let monday: CalendarDate = '2024-09-23'; monday <= LAST_MONDAY; monday = addDays(monday, 7)) {
      const { fm_score, fm_grade, trip_count } = await figures('weekly', monday);
      const score = fm_score === null ? '–' : `${fm_score.toFixed(1)} ${fm_grade} , why this score`;
      expected.push([shown(monday), score, String(trip_count)]);
      if (fm_score !== null) hrefs.push(`#/score/week/${monday}/${ID}`);
    }
    expect(await rowsOf(table)).toEqual(expected);
    expect(hrefs).toHaveLength(3);
    expect(await hrefsOf(table.getByRole('link'))).toEqual(hrefs);
  });

  it('loads the weeks from the first trip onward, and shows each request', async () => {
    const { page } = await open(REGULAR);
    await expectShown(page, '116 days driven in six months');
    await expectShown(page, 'The 21 requests of this view');
    const panel = page.locator('details.requests').last();
    await panel.getByText('The 21 requests of this view').click();
    const lines = (await panel.getByRole('region', { name: 'Requests as shell commands' }).innerText()).split('\n');
    const mondays = Array.from({ length: 21 }, (_, week) => addDays('2024-10-28', 7 * week));
    expect(lines.map((line) => line.split("'")[1])).toEqual(
      mondays.map(
        (monday) => `${explore.origin}/api/v1/driver-aggregate/weekly?start_date=${monday}&driver_id=${REGULAR}`,
      ),
    );
  });

  it('of a driver whose first trip is from today has one week without a score', async () => {
    const { page } = await open(BEGINNER);
    await expectShown(page, '0 days driven in six months');
    const kinds = (await cellsOf(calendarOf(page))).map(([cell]) => cell?.kind);
    expect(kinds).toEqual(['idle', 'idle', 'idle', 'today', 'outside', 'outside', 'outside']);
    await page.getByText('Scores as a table').click();
    expect(await rowsOf(page.getByRole('table', { name: 'Scores by week' }))).toEqual([
      ['Week of', 'Score', 'Trips'],
      ['17 Mar 2025', '–', '0'],
    ]);
    await expectShown(page, '1 trip.');
  });

  it('says only that a driver is unknown', async () => {
    const { page } = await open('nobody/1');
    await expectShown(page, 'Not found');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('nobody/1');
    const headings = page.getByRole('heading', { level: 2 });
    await expect.poll(async () => await headings.allInnerTexts()).toEqual(['Not found']);
    await expect.poll(async () => await page.locator('.facts, details, table, .loading').count()).toBe(0);
  });

  it('says that days and weeks are loading until all of them are there', async () => {
    const { page } = await explore.open();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/driver-aggregate/daily**', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${explore.origin}/explore/#/driver/${ID}`);
    await expectShown(page, 'Loading days …');
    await expectShown(page, 'Loading weeks …');
    expect(await page.getByRole('heading', { name: 'Score by week' }).count()).toBe(0);
    release();
    await expectShown(page, '5 days driven in six months');
    await expectShown(page, 'Score by week');
    expect(await page.getByText(/^Loading/).count()).toBe(0);
  });

  it('forgets what was chosen for another driver', async () => {
    const { page } = await open(TRACKED);
    await expectShown(page, '11 trips.');
    const boxes = page.getByRole('checkbox');
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await expectShown(page, 'Compare these two');
    await page.goto(`${explore.origin}/explore/#/driver/${ID}`);
    await expectShown(page, 'Ada Byron');
    await expectShown(page, '4 trips.');
    expect(await page.getByRole('link', { name: 'Compare these two' }).count()).toBe(0);
    expect(await page.getByRole('checkbox', { disabled: true }).count()).toBe(0);
  });
});
