import { tripId } from '@milepost/domain/trip-id';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { columnOf, expectShown, hrefsOf, rowsOf, savedFile } from '../support/console/contents.ts';
import { type ExploreWorld, openExplore } from '../support/console/explore.ts';
import { KNOWN_DRIVER, KNOWN_NOW, knownRecords, REGULAR } from '../support/console/known-fleet.ts';

const ID = encodeURIComponent(KNOWN_DRIVER);
const HEAD = ['Start (UTC)', 'Duration', 'Distance, mi', 'Highway, mi', 'Phone', 'Speeding', 'Brakes', 'Accel.'];
/** The trips of the last six months, newest first. */
const TRIPS = [
  ['2025-03-20', '20 Mar 2025, 03:00', '45 min', '12.3', '3.5', '0', '1', '1', '0'],
  ['2025-03-19', '19 Mar 2025, 03:00', '30 min', '30.0', '3.5', '0', '0', '0', '1'],
  ['evening', '17 Mar 2025, 19:00', '30 min', '12.3', '3.5', '3', '0', '0', '0'],
  ['2025-03-17', '17 Mar 2025, 03:00', '10 min', '12.3', '3.5', '0', '0', '0', '0'],
  ['2025-02-10', '10 Feb 2025, 03:00', '2 h 10 min', '1,234.6', '3.5', '1', '1', '3', '2'],
  ['2024-09-23', '23 Sep 2024, 03:00', '1 h 15 min', '48.0', '0.0', '5', '4', '8', '1'],
  ['2024-09-21', '21 Sep 2024, 03:00', '30 min', '12.3', '3.5', '40', '10', '30', '30'],
] as const;
const IDS = TRIPS.map(([sourceTripId]) => tripId('acme', sourceTripId));

describeWithBrowser('the trips of a driver', () => {
  let explore: ExploreWorld;

  beforeAll(async () => {
    explore = await openExplore({ time: KNOWN_NOW, records: knownRecords() });
  });
  afterAll(async () => await explore?.close());

  const open = async (hash: string) => await explore.open(hash, { timezoneId: 'Pacific/Auckland' });
  const tableOf = (page: Page) => page.getByRole('table', { name: 'Trips', exact: true });
  const periodOf = async (page: Page) => [
    await page.getByLabel('From', { exact: true }).inputValue(),
    await page.getByLabel('Through', { exact: true }).inputValue(),
  ];
  /** Records which pages of trip lists are requested from now on. */
  const watchPages = (page: Page) => {
    const pages: (string | null)[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname.endsWith('/trips')) pages.push(url.searchParams.get('page'));
    });
    return pages;
  };

  it('are listed with all figures, with links, and saved with the same figures', async () => {
    const { page, complaints } = await open(`#/driver/${ID}?from=2024-09-20`);
    await expectShown(page, '7 trips.');
    const table = tableOf(page);
    const [head = [], ...rows] = await rowsOf(table);
    expect(head).toEqual([`${HEAD[0]} ↓`, ...HEAD.slice(1), 'Compare']);
    expect(rows).toEqual(TRIPS.map(([, ...cells]) => [...cells, '']));
    expect([await table.locator('td.number').count(), await table.locator('td.control').count()]).toEqual([49, 7]);
    expect(await hrefsOf(table.getByRole('link'))).toEqual(IDS.map((id) => `#/trip/${id}`));
    expect(await table.getByRole('checkbox').first().getAttribute('aria-label')).toBe(
      'Compare the trip of 20 Mar 2025, 03:00:00',
    );
    await expectShown(
      page,
      '7 trips. A trip appears 4 hours after its end: the list contains the trips that ended by 20 Mar 2025, 08:00 UTC.',
    );
    const save = page.getByRole('button', { name: 'Download CSV' });
    const { name, text } = await savedFile(save);
    expect(name).toBe('trips-d-1-o-co--2024-09-20-2025-03-20.csv');
    const lines = text.split('\r\n');
    expect(lines).toHaveLength(9);
    const names = 'trip_start_time,trip_id,trip_end_time,duration_seconds,distance_miles,highway_miles,phone_use_count';
    expect(lines[0]).toBe(`${names},overspeeding_count,hard_brake_count,rapid_acceleration_count`);
    const start = Date.UTC(2025, 1, 10, 3);
    expect(lines).toContain(`${start},${IDS[4]},${start + 7_800_000},7800,1234.56,3.5,1,1,3,2`);
    await page.getByRole('radio', { name: 'kilometres' }).check();
    expect((await rowsOf(table))[0]?.slice(2, 4)).toEqual(['Distance, km', 'Highway, km']);
    expect(await columnOf(table, 'Distance, km')).toEqual(['19.7', '48.3', '19.7', '19.7', '1,986.8', '77.3', '19.7']);
    expect((await columnOf(table, 'Highway, km')).slice(-2)).toEqual(['0.0', '5.6']);
    const metric = (await savedFile(save)).text.split('\r\n');
    expect(metric[0]).toContain(',distance_kilometres,highway_kilometres,');
    expect(metric.find((line) => line.includes(IDS[4] ?? ''))?.split(',')[4]).toMatch(/^1986\.8/);
    expect(complaints).toEqual([]);
  });

  it('are sorted by the values of a column, not by their texts', async () => {
    const { page } = await open(`#/driver/${ID}?from=2024-09-20`);
    await expectShown(page, '7 trips.');
    const table = tableOf(page);
    const sort = table.getByRole('button', { name: 'Duration' });
    await sort.click();
    const ascending = ['10 min', '30 min', '30 min', '30 min', '45 min', '1 h 15 min', '2 h 10 min'];
    await expect.poll(async () => await columnOf(table, 'Duration')).toEqual(ascending);
    expect(await table.getByRole('columnheader', { name: 'Start (UTC)' }).getAttribute('aria-sort')).toBeNull();
    await sort.click();
    await expect.poll(async () => await columnOf(table, 'Duration')).toEqual(ascending.toReversed());
    expect((await rowsOf(table))[0]?.[1]).toBe('Duration ↓');
  });

  it('can be compared in twos, in the order of the choice', async () => {
    const { page } = await open(`#/driver/${ID}`);
    await expectShown(page, '4 trips.');
    const [newest, second, third] = [0, 1, 2].map((index) => page.getByRole('checkbox').nth(index));
    const compare = page.getByRole('link', { name: 'Compare these two' });
    await second?.check();
    expect(await compare.count()).toBe(0);
    await newest?.check();
    await expect.poll(async () => await hrefsOf(compare)).toEqual([`#/compare?trip=${IDS[1]}&trip=${IDS[0]}`]);
    expect([await third?.isDisabled(), await newest?.isDisabled()]).toEqual([true, false]);
    await second?.uncheck();
    await expect.poll(async () => await compare.count()).toBe(0);
    await third?.check();
    await expect.poll(async () => await hrefsOf(compare)).toEqual([`#/compare?trip=${IDS[0]}&trip=${IDS[2]}`]);
  });

  it('are those of the chosen period, which the address contains', async () => {
    const { page } = await open('#/drivers');
    await page.goto(`${explore.origin}/explore/#/driver/${ID}`);
    await expectShown(page, '4 trips.');
    expect(await periodOf(page)).toEqual(['2025-02-21', '2025-03-20']);
    const [from, through] = ['From', 'Through'].map((label) => page.getByLabel(label, { exact: true }));
    for (const field of [from, through]) {
      expect([await field?.getAttribute('min'), await field?.getAttribute('max')]).toEqual([
        '2024-09-20',
        '2025-03-20',
      ]);
    }
    for (const [length, first, trips] of [
      ['7 days', '2025-03-14', '4 trips.'],
      ['91 days', '2024-12-20', '5 trips.'],
      ['6 months', '2024-09-20', '7 trips.'],
      ['28 days', '2025-02-21', '4 trips.'],
    ] as const) {
      await page.getByRole('button', { name: length }).click();
      await expectShown(page, trips);
      await expect.poll(async () => await periodOf(page)).toEqual([first, '2025-03-20']);
      expect(page.url()).toContain(`#/driver/${ID}?from=${first}&through=2025-03-20`);
    }
    await from?.fill('2025-03-17');
    await through?.fill('2025-03-17');
    await expectShown(page, '2 trips.');
    const address = page.url();
    expect(address).toContain('?from=2025-03-17&through=2025-03-17');
    // A period that ends before it begins changes nothing, and neither does an incomplete date.
    await through?.fill('2025-03-16');
    await from?.fill('2025-03-18');
    await from?.fill('');
    expect(page.url()).toBe(address);
    // The choices replace the entry in the browser's history.
    await page.goBack();
    await expectShown(page, 'Drivers');
  });

  it.each([
    ['?through=2025-01-31', ['2025-01-04', '2025-01-31']],
    ['?through=2024-10-01', ['2024-09-20', '2024-10-01']],
    ['?from=2025-03-18', ['2025-03-18', '2025-03-20']],
  ])('have a default for the missing end of the period %s', async (query, period) => {
    const { page } = await open(`#/driver/${ID}${query}`);
    await expectShown(page, /\n\d trips?\. /);
    expect(await periodOf(page)).toEqual(period);
    await page.context().close();
  });

  it('end with the period: no later page is requested, and midnight belongs to the next day', async () => {
    const { page } = await open('#/drivers');
    const pages = watchPages(page);
    // The last trip of the first page starts in the first millisecond after the period.
    await page.goto(`${explore.origin}/explore/#/driver/${REGULAR}?from=2024-11-01&through=2024-12-20`);
    await expectShown(page, '99 trips.');
    expect(pages).toEqual(['1']);
    await page.goto(`${explore.origin}/explore/#/driver/${REGULAR}?from=2024-11-30&through=2024-11-30`);
    await expectShown(page, '2 trips.');
    expect(await columnOf(tableOf(page), 'Start (UTC)')).toEqual(['30 Nov 2024, 12:00', '30 Nov 2024, 00:00']);
    expect(pages).toEqual(['1', '1']);
    await page.goto(`${explore.origin}/explore/#/driver/${REGULAR}?from=2024-11-01&through=2024-12-21`);
    await expectShown(page, '101 trips.');
    expect(pages).toEqual(['1', '1', '1', '2']);
  });

  it('can be seen while more pages are loaded, and are in pages of 50', async () => {
    const { page } = await open('#/drivers');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/trips?**page=2**', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${explore.origin}/explore/#/driver/${REGULAR}?from=2024-11-01`);
    await expectShown(page, 'Loading trips … 100 so far.');
    const save = page.getByRole('button', { name: 'Download CSV' });
    expect(await save.isDisabled()).toBe(true);
    expect(await tableOf(page).getByRole('rowheader').count()).toBe(50);
    release();
    await expectShown(page, '230 trips.');
    expect(await save.isDisabled()).toBe(false);
    const pages = page.getByRole('navigation', { name: 'Pages of Trips' });
    const [previous, next] = ['Previous', 'Next'].map((name) => pages.getByRole('button', { name }));
    const isEnd = async () => [await previous?.isDisabled(), await next?.isDisabled()];
    await expectShown(page, 'Page 1 of 5');
    expect(await isEnd()).toEqual([true, false]);
    expect((await columnOf(tableOf(page), 'Start (UTC)')).slice(0, 2)).toEqual([
      '24 Feb 2025, 00:00',
      '23 Feb 2025, 12:00',
    ]);
    for (const shown of [2, 3, 4, 5]) {
      await next?.click();
      await expectShown(page, `Page ${shown} of 5`);
    }
    expect(await isEnd()).toEqual([false, true]);
    const last = await columnOf(tableOf(page), 'Start (UTC)');
    expect([last.length, last[0], last.at(-1)]).toEqual([30, '16 Nov 2024, 00:00', '1 Nov 2024, 12:00']);
    await previous?.click();
    await expectShown(page, 'Page 4 of 5');
    expect(await tableOf(page).getByRole('rowheader').count()).toBe(50);
    await expectShown(page, 'The 3 requests of this view');
    const panel = page.locator('details.requests').first();
    await panel.getByText('The 3 requests of this view').click();
    const lines = (await panel.getByRole('region', { name: 'Requests as shell commands' }).innerText()).split('\n');
    expect(lines.map((line) => line.split("'")[1]?.replace(explore.origin, ''))).toEqual(
      [1, 2, 3].map((one) => `/api/v1/driver/${REGULAR}/trips?start_date=2024-11-01&page=${one}&limit=100`),
    );
  });

  it('are absent in a period without trips and in one that the service refuses', async () => {
    const { page } = await open(`#/driver/${ID}?from=2025-03-18&through=2025-03-18`);
    await expectShown(page, '0 trips.');
    await expectShown(page, 'No trips in this period');
    expect(await page.getByRole('button', { name: 'Download CSV' }).isDisabled()).toBe(true);
    expect(await tableOf(page).count()).toBe(0);
    await page.goto(`${explore.origin}/explore/#/driver/${ID}?from=2024-09-19&through=2024-09-30`);
    const alert = page.getByRole('alert');
    await expectShown(page, 'The service rejected this request');
    expect(await alert.innerText()).toContain('start_date');
    await expectShown(page, '0 trips loaded.');
    expect(await page.getByRole('heading', { name: 'No trips in this period' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Download CSV' }).isDisabled()).toBe(true);
    await expect.poll(async () => await page.locator('.loading').count()).toBe(0);
  });

  it('are no longer requested after the reader has left the view', async () => {
    const { page } = await open('#/drivers');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/trips?**', async (route) => {
      await released;
      // An aborted request cannot be continued.
      await route.continue().catch(() => {});
    });
    const isTrips = (request: Request) => request.url().includes('/trips?');
    const outcome = Promise.race([
      page.waitForEvent('requestfailed', isTrips).then((request) => request.failure()?.errorText),
      page.waitForEvent('requestfinished', isTrips).then(() => 'answered'),
    ]);
    const asked = page.waitForRequest('**/trips?**');
    await page.goto(`${explore.origin}/explore/#/driver/${ID}`);
    await asked;
    await page.getByRole('link', { name: 'Summaries', exact: true }).click();
    await expectShown(page, 'No drivers chosen');
    release();
    expect(await outcome).toBe('net::ERR_ABORTED');
  });
});
