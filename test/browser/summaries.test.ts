import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import {
  button,
  columnOf,
  expectShown,
  expectTexts,
  hrefsOf,
  rowsOf,
  savedLines,
} from '../support/console/contents.ts';
import { it } from '../support/console/explore.ts';
import { KNOWN_DRIVER, KNOWN_NOW, TRACKED } from '../support/console/known-fleet.ts';

const ID = encodeURIComponent(KNOWN_DRIVER);
const BOTH = `?driver=${ID}&driver=${TRACKED}`;

const heading = async (page: Page) => await page.getByRole('heading', { level: 1 }).innerText();
const tableOf = (page: Page) => page.getByRole('table', { name: 'Summaries', exact: true });

describeWithBrowser('the summaries of drivers', () => {
  it('contain all figures for each driver, with links, on the page and in the file', async ({ known: explore }) => {
    const { page } = await explore.open(`#/summary/day/2024-09-23${BOTH}`);
    const table = tableOf(page);
    await table.waitFor();
    expect(await heading(page)).toBe('Summaries, 23 Sep 2024');
    const rates = 'Phone uses|Overspeedings|Hard brakes|Accelerations'.split('|');
    const focus = 'phone use overspeeding hard brake';
    const figures = ['1', '48.0', '1 h 15 min', '10.4', '8.3', '16.7', '2.1', '0%', '0%', focus];
    expect(await rowsOf(table)).toEqual([
      ['Driver', 'Score', 'Trips', 'Distance, mi', 'Time', ...rates, 'Night', 'Highway', 'Focus areas'],
      ['Ada Byron', '55.2 fair , why this score', ...figures],
      ['Tracked', '–', '0', '0.0', '0 s', ...Array(6).fill('–'), 'none'],
    ]);
    expect(await hrefsOf(table.getByRole('link'))).toEqual([
      `#/driver/${ID}`,
      `#/score/day/2024-09-23/${ID}`,
      `#/driver/${TRACKED}`,
    ]);
    const { name, lines } = await savedLines(page);
    const [head = '', known = '', tracked] = lines;
    expect(name).toBe('summaries-2024-09-23.csv');
    expect(head).toBe(
      'driver_id,fm_score,fm_grade,trip_count,distance_miles,duration_seconds,phone_use_per_100_miles,overspeeding_per_100_miles,hard_brake_per_100_miles,rapid_acceleration_per_100_miles,night_percent,highway_percent,focus_areas',
    );
    const values = known.split(',');
    expect(values.slice(0, 6)).toEqual([KNOWN_DRIVER, '55.2', 'fair', '1', '48.04', '4500']);
    const counts = [5, 4, 8, 1].map((count) => expect.closeTo((100 * count) / 48.04, 9));
    expect(values.slice(6, 10).map(Number)).toEqual(counts);
    expect(values.slice(10)).toEqual(['0', '0', 'is_phone_use is_overspeeding is_hard_brake']);
    expect(tracked).toBe('tracked,,,0,0,0,,,,,,,');
    await explore.go(page, `#/summary/day/2024-09-21?driver=${ID}`);
    await expectShown(page, '6.4');
    expect((await rowsOf(table))[1]?.slice(9)).toEqual(['67%', '29%', `${focus} acceleration`]);
    const shares = (await savedLines(page)).lines[1]?.split(',').slice(10, 12);
    expect(shares?.map((share) => Math.round(Number(share)))).toEqual([67, 29]);
    await expectShown(page, 'Trip events are counted per 100 miles.');
    await page.getByRole('radio', { name: 'kilometres' }).check();
    await expectShown(page, 'Trip events are counted per 100 kilometres.');
    expect((await rowsOf(table))[1]?.slice(3, 9)).toEqual(['19.7', '30 min', '202.9', '50.7', '152.2', '152.2']);
    const [titles, metric = ''] = (await savedLines(page)).lines;
    expect(titles).toBe(head.replaceAll('_miles', '_kilometres'));
    const kilometres = 12.25 * 1.609344;
    expect(Number(metric.split(',')[4])).toBeCloseTo(kilometres, 6);
    expect(Number(metric.split(',')[6])).toBeCloseTo((100 * 40) / kilometres, 6);
  });

  it('are sorted by score, with drivers who have no score at the end', async ({ known: explore }) => {
    const { page } = await explore.open(`#/summary/day/2025-03-17?driver=${TRACKED}&driver=${ID}&driver=driver-1`);
    const table = tableOf(page);
    await expectShown(page, '75.4');
    for (const names of [
      ['Ada Byron', 'Ada Lovelace', 'Tracked'],
      ['Ada Lovelace', 'Ada Byron', 'Tracked'],
    ]) {
      await table.getByRole('button', { name: 'Score' }).click();
      await expect.poll(async () => await columnOf(table, 'Driver')).toEqual(names);
    }
  });

  it('cover the last complete week or day by default, and say so if a week is incomplete', async ({
    known: explore,
  }) => {
    const incomplete = 'The week is not complete: it contains the days up to yesterday.';
    const { page } = await explore.open(`#/summary/week/${BOTH}`);
    await tableOf(page).waitFor();
    expect(await heading(page)).toBe('Summaries, 10 Mar 2025 to 16 Mar 2025');
    expect(await page.getByText(incomplete).count()).toBe(0);
    await explore.go(page, `#/summary/week/2025-03-17${BOTH}`);
    await expectShown(page, incomplete);
    expect(await heading(page)).toBe('Summaries, 17 Mar 2025 to 23 Mar 2025');
    expect(await hrefsOf(tableOf(page).getByRole('link', { name: /why this score/ }))).toEqual([
      `#/score/week/2025-03-17/${ID}`,
    ]);
    await explore.go(page, `#/summary/day/${BOTH}`);
    await expectShown(page, '98.9');
    expect(await heading(page)).toBe('Summaries, 19 Mar 2025');
    expect(await page.getByText(incomplete).count()).toBe(0);
    // On a Monday, the week that ended yesterday is complete.
    const { clock } = explore.world;
    clock.now = Date.UTC(2025, 2, 24, 0, 30);
    onTestFinished(() => {
      clock.now = KNOWN_NOW;
    });
    await page.clock.setFixedTime(clock.now);
    await explore.go(page, `#/summary/week/${BOTH}`);
    await page.reload();
    await tableOf(page).waitFor();
    expect(await heading(page)).toBe('Summaries, 17 Mar 2025 to 23 Mar 2025');
    expect(await page.getByText(incomplete).count()).toBe(0);
  });

  it('cover the period, the date and the drivers that the reader chooses', async ({ known: explore }) => {
    const { page } = await explore.open('#/drivers');
    const isAt = async (hash: string) => await expect.poll(() => page.url()).toBe(`${explore.origin}/explore/${hash}`);
    await explore.go(page, '#/summary/week/');
    await expectShown(page, 'No drivers selected');
    expect(await page.locator('details, .loading').count()).toBe(0);
    expect(await button(page, 'Download CSV').isDisabled()).toBe(true);
    const date = page.getByLabel('Any day of the week');
    expect([await date.getAttribute('min'), await date.getAttribute('max')]).toEqual(['2024-09-20', '2025-03-19']);
    expect(await date.inputValue()).toBe('2025-03-10');
    const add = page.getByRole('button', { name: 'Add', exact: true });
    const field = page.getByLabel('Add a driver by id');
    await field.fill(TRACKED);
    await field.press('Enter');
    await isAt('#/summary/week/2025-03-10?driver=tracked');
    await expect.poll(async () => await field.inputValue()).toBe('');
    for (const id of ['driver-1', TRACKED]) {
      await field.fill(id);
      await add.click();
      await expect.poll(async () => await field.inputValue()).toBe('');
    }
    await isAt('#/summary/week/2025-03-10?driver=tracked&driver=driver-1');
    await date.fill('2025-03-09');
    await isAt('#/summary/week/2025-03-03?driver=tracked&driver=driver-1');
    await date.fill('');
    expect(page.url()).toContain('/2025-03-03?');
    await page.getByRole('radio', { name: 'day', exact: true }).check();
    await isAt('#/summary/day/?driver=tracked&driver=driver-1');
    const day = page.getByLabel('Day', { exact: true });
    expect(await day.inputValue()).toBe('2025-03-19');
    await day.fill('2025-03-09');
    await isAt('#/summary/day/2025-03-09?driver=tracked&driver=driver-1');
    await page.getByRole('button', { name: 'Remove all' }).click();
    await isAt('#/summary/day/2025-03-09');
    await expectShown(page, 'No drivers selected');
    const many = Array.from({ length: 19 }, (_, index) => `driver=idle-0${10 + index}`).join('&');
    await explore.go(page, `#/summary/day/2025-03-09?${many}`);
    await tableOf(page).waitFor();
    await field.fill('idle-000');
    await add.click();
    await isAt(`#/summary/day/2025-03-09?${many}&driver=idle-000`);
    await expect.poll(async () => [await field.isDisabled(), await add.isDisabled()]).toEqual([true, true]);
    // All choices during one visit to the page share one entry in the browser's history.
    await page.goBack();
    await page.goBack();
    await expectShown(page, 'Drivers');
  });

  it('are replaced by the reason if the service refuses them', async ({ known: explore }) => {
    const { page } = await explore.open('#/summary/day/2025-03-17?driver=nobody');
    await expectShown(page, 'Not found');
    expect(await tableOf(page).count()).toBe(0);
    expect(await button(page, 'Download CSV').isDisabled()).toBe(true);
    await explore.go(page, `#/summary/week/2025-03-12${BOTH}`);
    await expectShown(page, 'The service rejected this request');
    expect(await page.locator('.loading').count()).toBe(0);
  });

  it('explain a score: the figures, the points for each behaviour, and their sum', async ({ known: explore }) => {
    const { page } = await explore.open(`#/score/day/2024-09-21/${ID}`);
    const table = page.getByRole('table', { name: 'Points lost by behaviour' });
    await table.waitFor();
    const main = page.getByRole('main');
    expect(await main.getByText('Ada Byron').locator('..').innerText()).toBe('Ada Byron, 21 Sep 2024');
    expect((await page.locator('.headline').innerText()).replaceAll(/\s+/g, ' ')).toBe(
      '6.4 poor 1 trip, 12.3 mi, 30 min',
    );
    await expectTexts(page.locator('.chip'), ['phone use', 'overspeeding', 'hard brake', 'acceleration']);
    expect(await rowsOf(table)).toEqual([
      ['Behaviour', 'Driving', 'Sub-score', 'Max. points', 'Points lost', 'Share of the maximum'],
      ['Phone use', '40 times, 15 min', '0.2', '35', '34.94', ''],
      ['Overspeeding', '10 times, 10 min', '11.3', '30', '26.60', ''],
      ['Hard braking', '30 times', '0.1', '20', '19.98', ''],
      ['Rapid acceleration', '30 times', '0.2', '10', '9.98', ''],
      ['Night driving', '20 min', '57.4', '5', '2.13', ''],
    ]);
    const widths = await table
      .locator('rect')
      .evaluateAll((all) => all.map((bar) => Number(bar.getAttribute('width'))));
    expect(widths).toEqual([35, 34.94, 30, 26.6, 20, 19.98, 10, 9.98, 5, 2.13]);
    expect(await page.locator('.sum').innerText()).toBe(
      '100 − 34.94 − 26.60 − 19.98 − 9.98 − 2.13 + 0.03 (rounding) = 6.4',
    );
    // The service and the pages use the same formula.
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await hrefsOf(main.getByRole('link'))).toEqual([
      `#/summary/day/2024-09-21?${new URLSearchParams({ driver: KNOWN_DRIVER })}`,
      `#/driver/${ID}`,
    ]);
    const [head, phone] = (await savedLines(page)).lines;
    expect(head).toBe('behaviour,evidence,sub_score,weight,points_lost');
    expect(phone).toMatch(/^Phone use,"40 times, 15 min",0\.1588\d*,35,34\.94$/);
  });

  it("explain a week's score, a score without losses, and a day without trips", async ({ known: explore }) => {
    const { page } = await explore.open(`#/score/week/2025-03-17/${ID}`);
    await expectShown(page, 'Ada Byron, the week 17 Mar 2025 to 23 Mar 2025');
    await expectShown(page, '3 trips, 54.5 mi, 1 h 10 min');
    const sum = page.locator('.sum');
    expect(await sum.innerText()).toMatch(/^100( − \d+\.\d\d){5}( [+−] 0\.0\d \(rounding\))? = 80\.0$/);
    await explore.go(page, `#/score/day/2025-03-01/${TRACKED}`);
    await expectShown(page, 'Tracked, 1 Mar 2025');
    await expect.poll(async () => await sum.innerText()).toBe('100 − 0.00 − 0.00 − 0.00 − 0.00 − 0.00 = 100.0');
    expect(await page.locator('p', { hasText: 'Focus areas:' }).innerText()).toBe('Focus areas: none');
    for (const [id, title] of [
      [ID, 'No score'],
      ['nobody', 'Not found'],
    ]) {
      await explore.go(page, `#/score/day/2025-03-18/${id}`);
      await expectShown(page, title ?? '');
      expect(await page.locator('table, .sum, .loading').count()).toBe(0);
    }
  });
});
