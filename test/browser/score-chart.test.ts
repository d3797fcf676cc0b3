import { addDays } from '@milepost/domain/calendar';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { expectShown } from '../support/console/contents.ts';
import { type ExploreWorld, it } from '../support/console/explore.ts';
import { BEGINNER, KNOWN_DRIVER, TRACKED } from '../support/console/known-fleet.ts';

const ID = encodeURIComponent(KNOWN_DRIVER);
const GRADES = ['excellent', 'good', 'fair', 'poor'];
/** A score in each grade, close to an edge of its band. */
const SCORES = [87, 72, 68, 48];
const VISITS = 6;
/** A chart has about forty nodes. */
const MAX_GROWN_NODES = 15 * VISITS;

describeWithBrowser('the chart of the score by week', () => {
  let explore: ExploreWorld;

  it.beforeAll(({ known }) => {
    explore = known;
  });

  const open = async (id: string) => {
    const { page } = await explore.open(`#/driver/${id}`, { colorScheme: 'light' });
    await expectShown(page, 'Week of–Score–');
    return page;
  };
  const textOf = async (page: Page) => (await page.locator('.u-legend').innerText()).replaceAll(/\s/g, '');
  /** Moves the mouse to a position along the chart's width, where 0 is the left end and 1 the right end. */
  const pointAt = async (page: Page, part: number) => {
    const plot = page.locator('.u-over');
    await plot.scrollIntoViewIfNeeded();
    const { x = 0, y = 0, width = 0 } = (await plot.boundingBox()) ?? {};
    await page.mouse.move(x + 1 + part * (width - 2), y + 20);
  };
  /** Returns the colour that the chart's vertical centre line has at the height of each score. */
  const coloursAt = async (page: Page, scores: readonly number[]) =>
    await page.locator('.chart').evaluate((chart, values: readonly number[]) => {
      const canvas = chart.querySelector('canvas');
      const [plot, frame] = [chart.querySelector('.u-over').getBoundingClientRect(), canvas.getBoundingClientRect()];
      const scale = canvas.width / frame.width;
      return values.map((value) => {
        const [left, top] = [plot.left - frame.left + plot.width / 2, plot.top - frame.top];
        const y = Math.floor((top + plot.height * (1 - value / 100)) * scale);
        return canvas
          .getContext('2d')
          .getImageData(Math.floor(left * scale), y, 1, 1)
          .data.slice(0, 3)
          .join();
      });
    }, scores);
  const coloursOfGrades = async (page: Page) =>
    await page.locator('.legend').evaluate(
      (legend, grades: readonly string[]) =>
        grades.map((grade) => {
          const swatch = legend.ownerDocument.defaultView.getComputedStyle(legend.querySelector(`.${grade}`));
          return swatch.backgroundColor.match(/\d+/g).slice(0, 3).join();
        }),
      GRADES,
    );
  const expectBands = async (page: Page) => {
    await expect.poll(async () => await coloursAt(page, SCORES)).toEqual(await coloursOfGrades(page));
  };

  it('names the week and the score at the mouse', async () => {
    const page = await open(ID);
    // The chart's weeks run from 23 September (step 0) to 17 March (step 25).
    for (const [step, date] of [
      [0, '23Sep2024'],
      [1, '30Sep2024'],
      [20, '10Feb2025'],
      [25, '17Mar2025'],
    ] as const) {
      const path = `/api/v1/driver-aggregate/weekly?start_date=${addDays('2024-09-23', 7 * step)}&driver_id=${ID}`;
      const { fm_score } = (await explore.world.get(path)).json().data[0].driving_summary;
      await pointAt(page, step / 25);
      await expect
        .poll(async () => await textOf(page))
        .toBe(`Weekof${date}Score${fm_score === null ? '–' : fm_score.toFixed(1)}`);
    }
    // A chart covers at least eight weeks.
    const other = await open(TRACKED);
    await pointAt(other, 0);
    await expect.poll(async () => await textOf(other)).toContain('Weekof24Feb2025');
  });

  it("shows the grades' bands in their colours, in each theme and on paper", async () => {
    const page = await open(ID);
    const chart = page.getByRole('img', { name: /^Chart of the score by week, with a coloured band for each grade/ });
    const light = await coloursOfGrades(page);
    expect(new Set(light).size).toBe(4);
    await expectBands(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(async () => await coloursOfGrades(page)).not.toEqual(light);
    await expectBands(page);
    await page.getByRole('radio', { name: 'light' }).check();
    await expect.poll(async () => await coloursOfGrades(page)).toEqual(light);
    await expectBands(page);
    expect(await chart.locator('canvas').count()).toBe(1);
    await pointAt(page, 1);
    await expect.poll(async () => await textOf(page)).toBe('Weekof17Mar2025Score80.0');
    const widths = async () =>
      await chart.evaluate((element) => [element.clientWidth, element.querySelector('.uplot').clientWidth]);
    const [before = 0] = await widths();
    await page.setViewportSize({ width: 700, height: 900 });
    await expect.poll(async () => new Set(await widths()).size).toBe(1);
    expect((await widths())[0]).toBeLessThan(before - 100);
    await expectBands(page);
  });

  it('is not kept in memory after the reader has left the view', async () => {
    const page = await open(BEGINNER);
    const session = await page.context().newCDPSession(page);
    const visit = async () => {
      await explore.go(page, '#/compare');
      await expectShown(page, 'Trips by id');
      await explore.go(page, `#/driver/${BEGINNER}`);
      await expectShown(page, 'Week of–Score–');
    };
    const nodes = async () => {
      for (let time = 0; time < 2; time += 1) await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Memory.getDOMCounters')).nodes;
    };
    for (let time = 0; time < 2; time += 1) await visit();
    const before = await nodes();
    for (let time = 0; time < VISITS; time += 1) await visit();
    await expect.poll(async () => (await nodes()) - before).toBeLessThan(MAX_GROWN_NODES);
  });
});
