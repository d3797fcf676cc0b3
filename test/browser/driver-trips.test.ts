import { tripId } from '@milepost/domain/trip-id';
import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { button, columnOf, expectShown, hold, hrefsOf, rowsOf, savedLines } from '../support/console/contents.ts';
import { it } from '../support/console/explore.ts';
import { KNOWN_DRIVER, REGULAR } from '../support/console/known-fleet.ts';

const ID = encodeURIComponent(KNOWN_DRIVER);
const HEAD = ['Start (UTC)', 'Duration', 'Distance, mi', 'Highway, mi', 'Phone', 'Speeding', 'Brakes', 'Accel.'];
/** The trips in the last six months, newest first. */
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

const tableOf = (page: Page) => page.getByRole('table', { name: 'Trips', exact: true });
const save = (page: Page) => button(page, 'Download CSV');
const periodOf = async (page: Page) => [
  await page.getByLabel('From', { exact: true }).inputValue(),
  await page.getByLabel('Through', { exact: true }).inputValue(),
];

describeWithBrowser('the trips of a driver', () => {
  it('are listed with all figures and links, can be saved with the same figures, and are sorted by value', async ({
    known,
  }) => {
    const { page } = await known.open(`#/driver/${ID}?from=2024-09-20`);
    await expectShown(
      page,
      '7 trips. A trip appears 4 hours after it ends: the list contains trips that had ended by 20 Mar 2025, 08:00 UTC.',
    );
    const table = tableOf(page);
    const [head = [], ...rows] = await rowsOf(table);
    expect(head).toEqual([`${HEAD[0]} ↓`, ...HEAD.slice(1), 'Compare']);
    expect(rows).toEqual(TRIPS.map(([, ...cells]) => [...cells, '']));
    expect(await hrefsOf(table.getByRole('link'))).toEqual(IDS.map((id) => `#/trip/${id}`));
    expect(await table.getByRole('checkbox').first().getAttribute('aria-label')).toBe(
      'Compare the trip of 20 Mar 2025, 03:00:00',
    );
    const { name, lines } = await savedLines(page);
    expect(name).toBe('trips-d-1-o-co--2024-09-20-2025-03-20.csv');
    expect(lines).toHaveLength(8);
    const names = 'trip_start_time,trip_id,trip_end_time,duration_seconds,distance_miles,highway_miles,phone_use_count';
    expect(lines[0]).toBe(`${names},overspeeding_count,hard_brake_count,rapid_acceleration_count`);
    const start = Date.UTC(2025, 1, 10, 3);
    expect(lines).toContain(`${start},${IDS[4]},${start + 7_800_000},7800,1234.56,3.5,1,1,3,2`);

    const sort = async (column: string, shown: string, expected: readonly string[]) => {
      await table.getByRole('button', { name: column }).click();
      await expect.poll(async () => await columnOf(table, shown)).toEqual(expected);
    };
    const durations = ['10 min', '30 min', '30 min', '30 min', '45 min', '1 h 15 min', '2 h 10 min'];
    await sort('Duration', 'Duration', durations);
    expect(await table.getByRole('columnheader', { name: 'Start (UTC)' }).getAttribute('aria-sort')).toBeNull();
    const distances = ['12.3', '12.3', '12.3', '12.3', '30.0', '48.0', '1,234.6'];
    await sort('Distance', 'Distance, mi', distances);
    await sort('Distance', 'Distance, mi', distances.toReversed());
    expect((await rowsOf(table))[0]?.[2]).toBe('Distance, mi ↓');

    await page.getByRole('radio', { name: 'kilometres' }).check();
    await expect
      .poll(async () => (await columnOf(table, 'Distance, km')).toSorted())
      .toEqual(['1,986.8', '19.7', '19.7', '19.7', '19.7', '48.3', '77.3']);
    expect((await columnOf(table, 'Highway, km')).toSorted().slice(0, 2)).toEqual(['0.0', '5.6']);
    const { lines: metric } = await savedLines(page);
    expect(metric[0]).toContain(',distance_kilometres,highway_kilometres,');
    expect(metric.find((line) => line.includes(IDS[4] ?? ''))?.split(',')[4]).toMatch(/^1986\.8/);
  });

  it('can be compared in pairs, in the order in which they were selected', async ({ known }) => {
    const { page } = await known.open(`#/driver/${ID}`);
    await expectShown(page, '4 trips.');
    const [newest, second, third] = [0, 1, 2].map((index) => page.getByRole('checkbox').nth(index));
    const compare = page.getByRole('link', { name: 'Compare these two' });
    await second?.check();
    expect(await compare.count()).toBe(0);
    await newest?.check();
    await expect.poll(async () => await hrefsOf(compare)).toEqual([`#/compare?trip=${IDS[1]}&trip=${IDS[0]}`]);
    expect([await third?.isDisabled(), await newest?.isDisabled()]).toEqual([true, false]);
    await second?.uncheck();
    await third?.check();
    await expect.poll(async () => await hrefsOf(compare)).toEqual([`#/compare?trip=${IDS[0]}&trip=${IDS[2]}`]);
  });

  it('are those in the chosen period, which the address contains', async ({ known }) => {
    const { page } = await known.open('#/drivers');
    await known.go(page, `#/driver/${ID}`);
    await expectShown(page, '4 trips.');
    expect(await periodOf(page)).toEqual(['2025-02-21', '2025-03-20']);
    const [from, through] = ['From', 'Through'].map((label) => page.getByLabel(label, { exact: true }));
    expect([await from?.getAttribute('min'), await through?.getAttribute('max')]).toEqual(['2024-09-20', '2025-03-20']);
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
    // A period that ends before it begins changes nothing, nor does an incomplete date.
    await through?.fill('2025-03-16');
    await from?.fill('2025-03-18');
    await from?.fill('');
    expect(page.url()).toBe(address);
    // Each choice replaces the entry in the browser's history.
    await page.goBack();
    await expectShown(page, 'Drivers');
    // If the end of the period is missing, a default is used.
    await known.go(page, `#/driver/${ID}?through=2025-01-31`);
    await expect.poll(async () => await periodOf(page)).toEqual(['2025-01-04', '2025-01-31']);
  });

  it('end with the period: no more pages are requested, and midnight belongs to the next day', async ({ known }) => {
    const { page } = await known.open('#/drivers');
    const pages: (string | null)[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname.endsWith('/trips')) pages.push(url.searchParams.get('page'));
    });
    // The last trip on the first page starts in the first millisecond after the period.
    await known.go(page, `#/driver/${REGULAR}?from=2024-11-01&through=2024-12-20`);
    await expectShown(page, '99 trips.');
    expect(pages).toEqual(['1']);
    await known.go(page, `#/driver/${REGULAR}?from=2024-11-30&through=2024-11-30`);
    await expectShown(page, '2 trips.');
    expect(await columnOf(tableOf(page), 'Start (UTC)')).toEqual(['30 Nov 2024, 12:00', '30 Nov 2024, 00:00']);
    await known.go(page, `#/driver/${REGULAR}?from=2024-11-01&through=2024-12-21`);
    await expectShown(page, '101 trips.');
    expect(pages).toEqual(['1', '1', '1', '2']);
  });

  it('can be seen while more pages are being loaded, and are shown 50 to a page', async ({ known }) => {
    const { page } = await known.open('#/drivers');
    const release = await hold(page, '**/trips?**page=2**');
    await known.go(page, `#/driver/${REGULAR}?from=2024-11-01`);
    await expectShown(page, 'Loading trips … 100 so far.');
    expect(await save(page).isDisabled()).toBe(true);
    expect(await tableOf(page).getByRole('rowheader').count()).toBe(50);
    release();
    await expectShown(page, '230 trips.');
    expect(await save(page).isDisabled()).toBe(false);
    const pages = page.getByRole('navigation', { name: 'Pages of Trips' });
    const [previous, next] = ['Previous', 'Next'].map((name) => pages.getByRole('button', { name }));
    const isEnd = async () => [await previous?.isDisabled(), await next?.isDisabled()];
    expect(await isEnd()).toEqual([true, false]);
    for (const shown of [2, 3, 4, 5]) {
      await next?.click();
      await expectShown(page, `Page ${shown} of 5`);
    }
    expect(await isEnd()).toEqual([false, true]);
    const last = await columnOf(tableOf(page), 'Start (UTC)');
    expect([last.length, last[0], last.at(-1)]).toEqual([30, '16 Nov 2024, 00:00', '1 Nov 2024, 12:00']);
    await previous?.click();
    await expectShown(page, 'Page 4 of 5');
    const panel = page.locator('details.requests').first();
    await panel.getByText('The 3 requests behind this view').click();
    const lines = (await panel.getByRole('region', { name: 'Requests as shell commands' }).innerText()).split('\n');
    expect(lines.map((line) => line.split("'")[1]?.replace(known.origin, ''))).toEqual(
      [1, 2, 3].map((one) => `/api/v1/driver/${REGULAR}/trips?start_date=2024-11-01&page=${one}&limit=100`),
    );
  });

  it('are absent in a period without trips, and in a period that the service refuses', async ({ known }) => {
    const { page } = await known.open(`#/driver/${ID}?from=2025-03-18&through=2025-03-18`);
    await expectShown(page, 'No trips in this period');
    expect(await save(page).isDisabled()).toBe(true);
    expect(await tableOf(page).count()).toBe(0);
    await known.go(page, `#/driver/${ID}?from=2024-09-19&through=2024-09-30`);
    await expectShown(page, 'The service rejected this request');
    expect(await page.getByRole('alert').innerText()).toContain('start_date');
    await expectShown(page, '0 trips loaded.');
    expect(await page.getByRole('heading', { name: 'No trips in this period' }).count()).toBe(0);
    expect(await save(page).isDisabled()).toBe(true);
    await expect.poll(async () => await page.locator('.loading').count()).toBe(0);
  });

  it('are no longer requested once the reader has left the view', async ({ known }) => {
    const { page } = await known.open('#/drivers');
    const release = await hold(page, '**/trips?**');
    const isTrips = (request: Request) => request.url().includes('/trips?');
    const outcome = Promise.race([
      page.waitForEvent('requestfailed', isTrips).then((request) => request.failure()?.errorText),
      page.waitForEvent('requestfinished', isTrips).then(() => 'answered'),
    ]);
    const asked = page.waitForRequest('**/trips?**');
    await known.go(page, `#/driver/${ID}`);
    await asked;
    await page.getByRole('link', { name: 'Summaries', exact: true }).click();
    await expectShown(page, 'No drivers selected');
    release();
    expect(await outcome).toBe('net::ERR_ABORTED');
  });
});
