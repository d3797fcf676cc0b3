import { tripId } from '@milepost/domain/trip-id';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { columnOf, expectShown, hrefsOf, rowsOf, savedFile } from '../support/console/contents.ts';
import { type ExploreWorld, openExplore } from '../support/console/explore.ts';
import { KNOWN_DRIVER, KNOWN_NOW, knownRecords, TRACKED, TRACKING_ID } from '../support/console/known-fleet.ts';

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

describeWithBrowser('the lists of Explore', () => {
  let explore: ExploreWorld;

  beforeAll(async () => {
    explore = await openExplore({ time: KNOWN_NOW, records: knownRecords() });
  });
  afterAll(async () => await explore?.close());

  const open = async (hash: string) => (await explore.open(hash, { timezoneId: 'Pacific/Auckland' })).page;
  const go = async (page: Page, hash: string) => await page.goto(`${explore.origin}/explore/${hash}`);
  const driversOf = (page: Page) => page.getByRole('table', { name: 'Drivers', exact: true });

  it('have the figures of each driver, on the page and in the file', async () => {
    const page = await open('');
    await expectShown(page, '100 of 231 drivers loaded');
    const table = driversOf(page);
    const [head, ...rows] = await rowsOf(table);
    expect(head).toEqual(['Driver', 'Id', 'Alias', 'Email', 'First drive', 'Last drive', 'Choose']);
    expect(rows).toHaveLength(100);
    const known = rows.filter(([, id]) => !id?.startsWith('idle-') || id === 'idle-000');
    expect(known.toSorted()).toEqual(ROWS.toSorted());
    const times = table.getByRole('row', { name: 'Ada Byron' }).locator('time');
    expect(await times.evaluateAll((all) => all.map((time) => time.getAttribute('datetime')))).toEqual([
      '2024-09-12',
      '2025-03-20',
    ]);
    expect(await hrefsOf(table.getByRole('link', { name: 'Ada Byron' }))).toEqual([`#/driver/${ID}`]);
    const { name, text } = await savedFile(page.getByRole('button', { name: 'Download CSV' }));
    expect(name).toBe('drivers.csv');
    const lines = text.split('\r\n');
    expect(lines[0]).toBe('name,driver_id,first_name,last_name,alias,email,first_travel_date,last_travel_date');
    expect(lines).toContain(`Ada Byron,${KNOWN_DRIVER},Ada,Byron,'=Countess,ada@example.org,2024-09-12,2025-03-20`);
    expect(lines).toContain('"Van ""3"", red",regular,,,"Van ""3"", red",,2024-11-01,2025-02-24');
    expect(lines).toContain('Idle 7,idle-007,Idle,7,,,,');
    expect(lines).toHaveLength(102);
  });

  it('of drivers grow by a page or by all pages, and a search covers the loaded ones', async () => {
    const page = await open('#/trip/none');
    const pages: (string | null)[] = [];
    let isHeld = false;
    let release = () => {};
    await page.route('**/api/v1/drivers?**', async (route) => {
      pages.push(new URL(route.request().url()).searchParams.get('page'));
      if (isHeld) await new Promise<void>((resolve) => (release = resolve));
      await route.continue();
    });
    await go(page, '#/drivers?find=idle-150');
    await expectShown(page, '0 found among 100 of 231 drivers loaded');
    await expectShown(page, 'No loaded driver matches all these words by name, alias, email or id.');
    isHeld = true;
    const [more, all] = ['Load 100 more', 'Load all'].map((name) => page.getByRole('button', { name }));
    await more?.click();
    await expect.poll(() => pages).toEqual(['1', '2']);
    await expect.poll(async () => [await more?.isDisabled(), await all?.isDisabled()]).toEqual([true, true]);
    isHeld = false;
    release();
    await expectShown(page, '1 found among 200 of 231 drivers loaded');
    await expect.poll(async () => await more?.isDisabled()).toBe(false);
    expect(await columnOf(driversOf(page), 'Driver')).toEqual(['Idle 150']);
    await page.reload();
    await expectShown(page, '0 found among 100 of 231 drivers loaded');
    pages.length = 0;
    await all?.click();
    await expectShown(page, '1 found among 231 of 231 drivers loaded');
    expect(pages).toEqual(['2', '3']);
    expect([await more?.count(), await all?.count()]).toEqual([0, 0]);
    await page.getByRole('searchbox').fill(' ');
    await expectShown(page, /\n231 of 231 drivers loaded/);
    const steps = page.getByRole('navigation', { name: 'Pages of Drivers' });
    await steps.getByRole('button', { name: 'Next' }).click();
    await steps.getByRole('button', { name: 'Next' }).click();
    await expectShown(page, 'Page 3 of 3');
    expect(await driversOf(page).getByRole('rowheader').count()).toBe(31);
    // If a search leaves fewer pages, the last of them is shown.
    await page.getByRole('searchbox').fill('idle');
    await expectShown(page, '225 found among 231');
    expect(await driversOf(page).getByRole('rowheader').count()).toBe(25);
    await page.getByRole('searchbox').fill('ada');
    await expectShown(page, '2 found among 231');
    expect((await columnOf(driversOf(page), 'Driver')).toSorted()).toEqual(['Ada Byron', 'Ada Lovelace']);
    expect(await steps.count()).toBe(0);
  });

  it('of drivers offer the summaries of up to 20 of them', async () => {
    const page = await open('#/drivers?find=idle');
    await expectShown(page, 'found among');
    const boxes = page.getByRole('checkbox');
    const link = page.getByRole('link', { name: /^Summaries of/ });
    expect(await link.count()).toBe(0);
    for (let index = 0; index < 20; index += 1) await boxes.nth(index).check();
    expect(await boxes.first().getAttribute('aria-label')).toBe('Choose Idle 0');
    const ids = Array.from({ length: 20 }, (_, index) => `idle-${String(index).padStart(3, '0')}`);
    const hrefOf = (chosen: readonly string[]) => `#/summary/week/?${chosen.map((id) => `driver=${id}`).join('&')}`;
    await expect.poll(async () => await hrefsOf(link)).toEqual([hrefOf(ids)]);
    expect(await link.innerText()).toBe('Summaries of 20 chosen');
    expect([await boxes.nth(19).isDisabled(), await boxes.nth(20).isDisabled()]).toEqual([false, true]);
    await boxes.nth(0).uncheck();
    await expect.poll(async () => await boxes.nth(20).isDisabled()).toBe(false);
    await expect.poll(async () => await hrefsOf(link)).toEqual([hrefOf(ids.slice(1))]);
    await driversOf(page).getByRole('button', { name: 'Choose' }).click();
    // The chosen drivers come first.
    await expect
      .poll(async () => (await columnOf(driversOf(page), 'Id')).slice(0, 20))
      .toEqual([...ids.slice(1), 'idle-000']);
  });

  it('of a fleet without drivers say so', async () => {
    const key = await explore.world.createKey('empty');
    const { page } = await explore.open('', { key });
    await expectShown(page, 'A driver appears with the first trip or profile that the service stores for your fleet.');
    expect(await page.getByRole('button', { name: 'Download CSV' }).isDisabled()).toBe(true);
    expect(await page.locator('table, input[type=search], .loading').count()).toBe(0);
  });

  it('of trips with a tracking id have five on each page', async () => {
    const page = await open('#/compare');
    await page.getByLabel('Tracking id').fill(TRACKING_ID);
    await page.getByRole('button', { name: 'Find its trips' }).click();
    await expectShown(page, 'Page 1, 11 trips');
    // The list has a new entry in the browser's history.
    await page.goBack();
    await expectShown(page, 'Trips by id');
    await page.goForward();
    await expectShown(page, 'Page 1, 11 trips');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(`Trips with tracking id ${TRACKING_ID}`);
    const table = page.getByRole('table', { name: 'Trips', exact: true });
    const steps = page.getByRole('navigation', { name: 'Pages of trips' }).getByRole('link');
    const { trips } = (await explore.world.get(`/api/v1/trip/tracking_id/${encodeURIComponent(TRACKING_ID)}`)).json();
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
    expect(await steps.allInnerTexts()).toEqual(['Next']);
    expect(await hrefsOf(steps)).toEqual([`${TRACKING}?page=2`]);
    await steps.click();
    await expectShown(page, 'Page 2, 11 trips');
    expect(await steps.allInnerTexts()).toEqual(['Previous', 'Next']);
    expect(await hrefsOf(steps)).toEqual([TRACKING, `${TRACKING}?page=3`]);
    await steps.last().click();
    await expectShown(page, 'Page 3, 11 trips');
    expect(await hrefsOf(steps)).toEqual([`${TRACKING}?page=2`]);
    expect(await table.getByRole('rowheader').count()).toBe(1);
    await page.getByRole('radio', { name: 'kilometres' }).check();
    await expect.poll(async () => await columnOf(table, 'Distance')).toEqual(['20.1 km']);
    await page.getByText('The request of this view').click();
    expect(await page.getByRole('region', { name: 'Requests as shell commands' }).innerText()).toContain(
      `'${explore.origin}/api/v1/trip/tracking_id/${encodeURIComponent(TRACKING_ID)}?page=3'`,
    );
  });

  it('and all other views mark their place in the navigation', async () => {
    const page = await open('');
    const places = page.getByRole('navigation', { name: 'Views' });
    await expectShown(page, 'drivers loaded');
    expect(await places.getByRole('link').allInnerTexts()).toEqual(['Drivers', 'Summaries', 'Trips']);
    expect(await hrefsOf(places.getByRole('link'))).toEqual(['#/drivers', '#/summary/week/', '#/compare']);
    expect(await hrefsOf(page.getByRole('link', { name: 'Milepost Explore' }))).toEqual(['#/drivers']);
    for (const [hash, marked] of [
      ['#/drivers', ['Drivers']],
      [`#/driver/${ID}`, ['Drivers']],
      ['#/summary/week/', ['Summaries']],
      [`#/score/day/2025-03-17/${ID}`, ['Summaries']],
      [TRACKING, ['Trips']],
      [`#/trip/${tripId('acme', 'seen')}`, ['Trips']],
      ['#/compare', ['Trips']],
      ['#/nothing', []],
    ] as const) {
      await go(page, hash);
      await expect.poll(async () => await places.locator('[aria-current=page]').allInnerTexts()).toEqual(marked);
    }
    await expectShown(page, 'There is no such page');
    expect(await hrefsOf(page.getByRole('main').getByRole('link', { name: 'All drivers' }))).toEqual(['#/drivers']);
  });

  it('and all other views say what they are loading', async () => {
    const page = await open('#/compare');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/v1/**', async (route) => {
      await released;
      await route.continue().catch(() => {});
    });
    for (const [hash, text] of [
      ['#/drivers', 'Loading drivers …'],
      [`#/driver/${ID}`, 'Loading days …'],
      [`#/driver/${ID}?from=2025-03-01`, 'Loading trips … 0 so far.'],
      [TRACKING, 'Loading trips …'],
      [`#/summary/day/?driver=${ID}`, 'Loading summaries …'],
      [`#/score/day/2025-03-17/${ID}`, 'Loading the summary …'],
    ] as const) {
      await go(page, hash);
      await expectShown(page, text);
    }
    release();
    await expectShown(page, '75.4');
    expect(await page.locator('.loading').count()).toBe(0);
  });

  it('and all other views are in the units that the reader chooses, also after a reload', async () => {
    const page = await open(TRACKING);
    const units = page.getByRole('group', { name: 'Units' }).getByRole('radio');
    const checked = async () => [await units.first().isChecked(), await units.last().isChecked()];
    await expectShown(page, '10.0 mi');
    expect(await page.locator('fieldset', { hasText: 'Units' }).locator('span').allInnerTexts()).toEqual([
      'miles',
      'kilometres',
    ]);
    expect(await checked()).toEqual([true, false]);
    await units.last().check();
    await expectShown(page, '16.1 km');
    await page.reload();
    await expectShown(page, '16.1 km');
    expect(await checked()).toEqual([false, true]);
    await units.first().check();
    await expectShown(page, '10.0 mi');
    expect(await checked()).toEqual([true, false]);
  });

  it('wait as long as the service asks when the limit of requests has been reached', async () => {
    const key = await explore.world.createKey('acme', 1);
    const { page } = await explore.open('', { key });
    await expectShown(page, 'drivers loaded');
    const refused = page.waitForResponse((response) => response.status() === 429);
    await page.getByRole('button', { name: 'Load 100 more' }).click();
    const seconds = (await refused).headers()['retry-after'];
    expect(Number(seconds)).toBeGreaterThan(0);
    await expect
      .poll(async () => await page.getByRole('status').allInnerTexts())
      .toContainEqual(
        expect.stringContaining(`The request limit for this minute has been reached. Next attempt in ${seconds} s.`),
      );
    // The drivers that were already loaded stay.
    await expectShown(page, '100 of 231 drivers loaded');
  });

  it('release the memory of a file after the browser has saved it', async () => {
    const { page } = await explore.open('', { bypassCSP: true });
    await expectShown(page, 'drivers loaded');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(await download.failure()).toBeNull();
    const read = `fetch(${JSON.stringify(download.url())}).then(({ ok }) => ok, () => false)`;
    await expect.poll(async () => await page.evaluate<boolean>(read)).toBe(false);
  });
});
