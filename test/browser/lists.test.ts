import { tripId } from '@milepost/domain/trip-id';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import {
  button,
  columnOf,
  expectShown,
  expectTexts,
  hold,
  hrefsOf,
  rowsOf,
  savedLines,
} from '../support/console/contents.ts';
import { it } from '../support/console/explore.ts';
import { KNOWN_DRIVER, TRACKED, TRACKING_ID } from '../support/console/known-fleet.ts';

const ID = encodeURIComponent(KNOWN_DRIVER);
const TRACKING = `#/tracking/${encodeURIComponent(TRACKING_ID)}`;
const ROWS: readonly string[][] = [
  ['Ada Lovelace', 'driver-1', '–', 'ada@example.com', '17 Mar 2025', '20 Mar 2025', ''],
  ['long-hauler', 'long-hauler', '–', '–', '18 Mar 2025', '18 Mar 2025', ''],
  ['Ada Byron', KNOWN_DRIVER, '=Countess', 'ada@example.org', '12 Sep 2024', '20 Mar 2025', ''],
  ['beginner', 'beginner', '–', '–', '20 Mar 2025', '20 Mar 2025', ''],
  ['Van "3", red', 'regular', 'Van "3", red', '–', '1 Nov 2024', '24 Feb 2025', ''],
  ['Tracked', 'tracked', '–', '–', '1 Mar 2025', '11 Mar 2025', ''],
  ['Idle 0', 'idle-000', '–', '–', '–', '–', ''],
];

const driversOf = (page: Page) => page.getByRole('table', { name: 'Drivers', exact: true });
const save = (page: Page) => button(page, 'Download CSV');

describeWithBrowser('the lists of Explore', () => {
  it("contain each driver's figures, on the page and in the file", async ({ known }) => {
    const { page } = await known.open('');
    await expectShown(page, '100 of 231 drivers loaded');
    const table = driversOf(page);
    const [head, ...rows] = await rowsOf(table);
    expect(head).toEqual(['Driver', 'Id', 'Alias', 'Email', 'First drive', 'Last drive', 'Select']);
    expect(rows).toHaveLength(100);
    const shown = rows.filter(([, id]) => !id?.startsWith('idle-') || id === 'idle-000');
    expect(shown.toSorted()).toEqual(ROWS.toSorted());
    expect(await hrefsOf(table.getByRole('link', { name: 'Ada Byron' }))).toEqual([`#/driver/${ID}`]);
    const { name, lines } = await savedLines(page);
    expect(name).toBe('drivers.csv');
    expect(lines[0]).toBe('name,driver_id,first_name,last_name,alias,email,first_travel_date,last_travel_date');
    expect(lines).toContain(`Ada Byron,${KNOWN_DRIVER},Ada,Byron,'=Countess,ada@example.org,2024-09-12,2025-03-20`);
    expect(lines).toContain('"Van ""3"", red",regular,,,"Van ""3"", red",,2024-11-01,2025-02-24');
    expect(lines).toHaveLength(101);
  });

  it('of drivers grow by a page or by all pages, and a search covers the loaded drivers', async ({ known }) => {
    const { page } = await known.open('#/trip/none');
    const pages: (string | null)[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/drivers')) pages.push(searchParams.get('page'));
    });
    await known.go(page, '#/drivers?find=idle-150');
    await expectShown(page, '0 found among 100 of 231 drivers loaded');
    await expectShown(page, 'No loaded driver matches all these words by name, alias, email or id.');
    expect(await save(page).isDisabled()).toBe(true);
    const release = await hold(page, '**/api/v1/drivers?**');
    const [more, all] = ['Load 100 more', 'Load all'].map((name) => page.getByRole('button', { name }));
    await more?.click();
    await expect.poll(() => pages).toEqual(['1', '2']);
    await expect.poll(async () => [await more?.isDisabled(), await all?.isDisabled()]).toEqual([true, true]);
    release();
    await expectShown(page, '1 found among 200 of 231 drivers loaded');
    expect(await columnOf(driversOf(page), 'Driver')).toEqual(['Idle 150']);
    await page.reload();
    await expectShown(page, '0 found among 100 of 231 drivers loaded');
    pages.length = 0;
    await all?.click();
    await expectShown(page, '1 found among 231 of 231 drivers loaded');
    expect(pages).toEqual(['2', '3']);
    expect([await more?.count(), await all?.count()]).toEqual([0, 0]);
    const search = page.getByRole('searchbox');
    await search.fill(' ');
    await expectShown(page, /\n231 of 231 drivers loaded/);
    const steps = page.getByRole('navigation', { name: 'Pages of Drivers' });
    for (const shown of [2, 3]) {
      await button(steps, 'Next').click();
      await expectShown(page, `Page ${shown} of 3`);
    }
    expect(await driversOf(page).getByRole('rowheader').count()).toBe(31);
    // If a search leaves fewer pages, the last page is shown.
    await search.fill('idle 1');
    await expectShown(page, '131 found among 231');
    await expectShown(page, 'Page 2 of 2');
    expect(await driversOf(page).getByRole('rowheader').count()).toBe(31);
    await button(steps, 'Previous').click();
    await expectShown(page, 'Page 1 of 2');
    await search.fill('');
    // The field keeps the focus, although the address changes with each letter.
    await search.pressSequentially('ada');
    await expectShown(page, '2 found among 231');
    expect(page.url()).toContain('#/drivers?find=ada');
    expect((await columnOf(driversOf(page), 'Driver')).toSorted()).toEqual(['Ada Byron', 'Ada Lovelace']);
    expect(await steps.count()).toBe(0);
    const [, ...lines] = (await savedLines(page)).lines;
    expect(lines.map((line) => line.split(',')[0]).toSorted()).toEqual(['Ada Byron', 'Ada Lovelace']);
  });

  it('of drivers offer the summaries of up to 20 drivers', async ({ known }) => {
    const { page } = await known.open('#/drivers?find=idle');
    await expectShown(page, 'found among');
    const boxes = page.getByRole('checkbox');
    const link = page.getByRole('link', { name: /^Summaries of/ });
    expect(await link.count()).toBe(0);
    for (let index = 0; index < 20; index += 1) await boxes.nth(index).check();
    expect(await boxes.first().getAttribute('aria-label')).toBe('Select Idle 0');
    const ids = Array.from({ length: 20 }, (_, index) => `idle-${String(index).padStart(3, '0')}`);
    const hrefOf = (chosen: readonly string[]) => `#/summary/week/?${chosen.map((id) => `driver=${id}`).join('&')}`;
    await expect.poll(async () => await hrefsOf(link)).toEqual([hrefOf(ids)]);
    expect(await link.innerText()).toBe('Summaries of 20 selected drivers');
    expect([await boxes.nth(19).isDisabled(), await boxes.nth(20).isDisabled()]).toEqual([false, true]);
    await boxes.nth(0).uncheck();
    await expect.poll(async () => await boxes.nth(20).isDisabled()).toBe(false);
    await expect.poll(async () => await hrefsOf(link)).toEqual([hrefOf(ids.slice(1))]);
    await driversOf(page).getByRole('button', { name: 'Select' }).click();
    // Selected drivers come first.
    await expect
      .poll(async () => (await columnOf(driversOf(page), 'Id')).slice(0, 20))
      .toEqual([...ids.slice(1), 'idle-000']);
  });

  it('of a fleet without drivers say so', async ({ known }) => {
    const { page } = await known.open('', { key: await known.world.createKey('empty') });
    await expectShown(page, 'A driver appears as soon as the service has stored a trip or profile for that driver.');
    expect(await save(page).isDisabled()).toBe(true);
    expect(await page.locator('table, input[type=search], .loading').count()).toBe(0);
  });

  it('of trips with a tracking id, in which spaces count, show five trips per page', async ({ known }) => {
    const { page } = await known.open('#/compare');
    const find = async (trackingId: string) => {
      await page.getByLabel('Tracking id').fill(trackingId);
      await page.getByRole('button', { name: 'Find its trips' }).click();
    };
    await find(` ${TRACKING_ID}`);
    await expectShown(page, 'The fleet has no trip');
    // Opening the list has added an entry to the browser's history.
    await page.goBack();
    await find(TRACKING_ID);
    await expectShown(page, 'Page 1, 11 trips');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(`Trips with tracking id ${TRACKING_ID}`);
    const table = page.getByRole('table', { name: 'Trips', exact: true });
    const steps = page.getByRole('navigation', { name: 'Pages of trips' }).getByRole('link');
    const { trips } = (await known.world.get(`/api/v1/trip/tracking_id/${encodeURIComponent(TRACKING_ID)}`)).json();
    const indexes = trips.map(({ trip_id }: { trip_id: string }) =>
      Array.from({ length: 11 }, (_, index) => tripId('acme', `tracked-${index}`)).indexOf(trip_id),
    );
    const expected = indexes.map((index: number) => [
      `${index + 1} Mar 2025, 06:30`,
      TRACKED,
      index < 5 ? `${index + 55} min` : `1 h ${String(index - 5).padStart(2, '0')} min`,
      `${['10.0', '10.3', '10.5', '10.8', '11.0', '11.3', '11.5', '11.8', '12.0', '12.3', '12.5'][index]} mi`,
    ]);
    expect(await rowsOf(table)).toEqual([['Start (UTC)', 'Driver', 'Duration', 'Distance'], ...expected]);
    expect(await hrefsOf(table.getByRole('link'))).toEqual(
      indexes.map((index: number) => `#/trip/${tripId('acme', `tracked-${index}`)}`),
    );
    expect(await hrefsOf(steps)).toEqual([`${TRACKING}?page=2`]);
    await steps.click();
    await expectShown(page, 'Page 2, 11 trips');
    await expectTexts(steps, ['Previous', 'Next']);
    expect(await hrefsOf(steps)).toEqual([TRACKING, `${TRACKING}?page=3`]);
    await steps.last().click();
    await expectShown(page, 'Page 3, 11 trips');
    expect(await hrefsOf(steps)).toEqual([`${TRACKING}?page=2`]);
    await page.getByRole('radio', { name: 'kilometres' }).check();
    await expect.poll(async () => await columnOf(table, 'Distance')).toEqual(['20.1 km']);
  });

  it("release a file's memory after the browser has saved it", async ({ known }) => {
    const { page } = await known.open('', { bypassCSP: true });
    await expectShown(page, 'drivers loaded');
    const [download] = await Promise.all([page.waitForEvent('download'), save(page).click()]);
    expect(await download.failure()).toBeNull();
    const read = `fetch(${JSON.stringify(download.url())}).then(({ ok }) => ok, () => false)`;
    await expect.poll(async () => await page.evaluate<boolean>(read)).toBe(false);
  });
});
