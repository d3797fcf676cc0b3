import { tripId } from '@milepost/domain/trip-id';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dateText } from '../../apps/console/shared/calendar-text.ts';
import { describeWithBrowser } from '../support/console/browser.ts';
import { savedFile } from '../support/console/contents.ts';
import { type ExploreWorld, openExplore } from '../support/console/explore.ts';
import { focused } from '../support/console/keyboard.ts';
import { driverProfile, tripProcessed } from '../support/records.ts';

const LONG = tripId('acme', 'long');
const SEEN = tripId('acme', 'seen');
const SPACED = tripId('acme', 'spaced');

const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });
const cells = async (row: Locator) => await row.getByRole('cell').allInnerTexts();

/** Returns the text of the file that the browser downloads. */
const fileOf = async (page: Page, name: string) => (await savedFile(button(page, name).first())).text;

describeWithBrowser('Explore', () => {
  let explore: ExploreWorld;

  beforeAll(async () => {
    explore = await openExplore({
      records: [
        driverProfile({ driver_id: 'new', first_name: 'Nova', last_name: 'Starling' }),
        tripProcessed({
          source_trip_id: 'spaced',
          driver_id: 'long-hauler',
          tracking_id: ' long haul/1',
          trip_start_time: Date.now() - 3 * 86_400_000,
        }),
      ],
    });
  });
  afterAll(async () => await explore?.close());

  it('asks first for the key, and stores it in no URL or persistent storage', async () => {
    const { page } = await explore.open('', { key: null });
    await page.getByLabel('API key').fill(explore.key);
    await button(page, 'Show the reports').click();
    await link(page, 'Ada Lovelace').waitFor();
    expect(page.url()).not.toContain(explore.key);
    const kept = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, document.cookie])');
    expect(kept).not.toContain(explore.key);
    await button(page, 'Forget the key').click();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.toContain(explore.key);
  });

  it('leads to a driver, a day, a trip and its trip events', async () => {
    const { page, complaints } = await explore.open();
    await page.getByLabel('Search the loaded drivers').fill('love');
    await page.getByText('1 found among 3 of 3 drivers loaded').waitFor();
    expect(page.url()).toContain('#/drivers?find=love');
    expect(await focused(page)).toMatch(/^searchbox "Search the loaded drivers"/);
    await link(page, 'Ada Lovelace').click();
    await heading(page, 'Ada Lovelace').waitFor();
    await page.getByText(/\d days driven in six months/).waitFor();
    // The trip that ended an hour ago is not visible yet.
    await page.getByText('2 trips.').waitFor();
    const day = dateText(new Date(explore.world.clock.now - 2 * 86_400_000).toISOString().slice(0, 10));
    await link(page, `${day}: score 89.9, excellent, 1 trip`).click();
    await page.getByText('1 trip.').waitFor();
    await page.getByRole('table', { name: 'Trips', exact: true }).getByRole('link').click();
    await heading(page, /^Trip of/).waitFor();
    await button(page, /^Show Overspeeding of .* on the map$/).click();
    await page.getByText('72 mph (max 78 mph) at a speed limit of 55 mph').last().waitFor();
    expect(await page.getByRole('slider', { name: 'Time in the trip' }).getAttribute('aria-valuetext')).toBe(
      '08:15:00 UTC',
    );
    expect(complaints).toEqual([]);
  });

  it('starts the calendar of a new driver with the week of the first trip', async () => {
    const { page, complaints } = await explore.open('#/driver/driver-1');
    await page.getByText(/\d days driven in six months/).waitFor();
    const calendar = page.getByRole('table', { name: 'Calendar of days with trips, by score' });
    // The first trip was three days ago, so it is in this week or in the last one.
    expect(await calendar.getByRole('columnheader').count()).toBeLessThanOrEqual(2);
    expect(await calendar.getByRole('link').count()).toBe(2);
    await page.goto(`${explore.origin}/explore/#/driver/new`);
    await page.getByText('The driver has no trips yet.').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('plays a trip along its path, by keyboard alone', async () => {
    const { page } = await explore.open(`#/trip/${SEEN}`);
    await page.locator('.leaflet-container').waitFor();
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('300');
    await button(page, 'Play').focus();
    await page.keyboard.press('Enter');
    await page.locator('.vehicle').waitFor();
    await page.getByText('08:30:00').waitFor();
    await button(page, 'Play').waitFor();
    const line = page.getByRole('slider', { name: 'Time in the trip' });
    await line.focus();
    await page.keyboard.press('Home');
    expect(await line.getAttribute('aria-valuetext')).toBe('08:00:00 UTC');
  });

  it('offers a trip as GPX and GeoJSON, and every list as CSV', async () => {
    const { page } = await explore.open(`#/trip/${SEEN}`);
    expect(await fileOf(page, 'GPX')).toMatch(/<gpx version="1.1"[\s\S]*<trkpt lat="40.7128" lon="-74.006">/);
    const { features } = JSON.parse(await fileOf(page, 'GeoJSON'));
    expect(features[0]).toMatchObject({ geometry: { type: 'LineString' }, properties: { trip_id: SEEN } });
    expect(await fileOf(page, 'Download CSV')).toMatch(/^event_start_timestamp,event_name,seconds,facts\r\n\d{13},/);
    await link(page, 'Drivers').click();
    expect(await fileOf(page, 'Download CSV')).toContain('Ada Lovelace,driver-1,Ada,Lovelace,,ada@example.com,');
  });

  it('offers only the drivers that the search found as CSV', async () => {
    const { page } = await explore.open();
    const search = page.getByLabel('Search the loaded drivers');
    const names = async () => {
      const [, ...lines] = (await fileOf(page, 'Download CSV')).trim().split('\r\n');
      return lines.map((line) => line.split(',')[0]);
    };
    await search.fill('love');
    await page.getByText('1 found among 3 of 3 drivers loaded').waitFor();
    expect(await names()).toEqual(['Ada Lovelace']);
    await search.fill('nobody');
    await page.getByText('No driver found').waitFor();
    expect(await button(page, 'Download CSV').isDisabled()).toBe(true);
    await search.fill('');
    await link(page, 'Nova Starling').waitFor();
    expect((await names()).sort()).toEqual(['Ada Lovelace', 'Nova Starling', 'long-hauler']);
  });

  it('sorts by a column in ascending order first, and reverses the order of the same column', async () => {
    const { page } = await explore.open();
    const drivers = page.getByRole('table', { name: 'Drivers', exact: true });
    const ascending = ['Ada Lovelace', 'long-hauler', 'Nova Starling'];
    const descending = [...ascending].reverse();
    for (const [column, direction, names] of [
      ['Driver', 'ascending', ascending],
      ['Driver', 'descending', descending],
      ['Id', 'ascending', ascending],
      ['Driver', 'ascending', ascending],
    ] as const) {
      await drivers.getByRole('button', { name: column }).click();
      const head = drivers.getByRole('columnheader', { name: column });
      await expect.poll(async () => await head.getAttribute('aria-sort')).toBe(direction);
      expect(await drivers.getByRole('rowheader').allInnerTexts()).toEqual(names);
    }
  });

  it('shows chosen drivers side by side, and explains a score', async () => {
    const { page } = await explore.open();
    await page.getByRole('checkbox', { name: 'Choose Ada Lovelace' }).check();
    await page.getByRole('checkbox', { name: 'Choose long-hauler' }).check();
    await link(page, 'Summaries of 2 chosen').click();
    await page.getByRole('radio', { name: 'day' }).check();
    const date = new Date(explore.world.clock.now - 2 * 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel('Day', { exact: true }).fill(date);
    const row = page.getByRole('row', { name: /Ada Lovelace/ });
    // 1 overspeeding and 1 hard brake on 12.25 miles, of which 3.5 are on a highway.
    await row.getByText('89.9').waitFor();
    const figures = await cells(row);
    expect(figures.slice(1)).toEqual([
      '1',
      '12.3',
      '30 min',
      '0.0',
      '8.2',
      '8.2',
      '0.0',
      '0 %',
      '29 %',
      'overspeeding\nhard brake',
    ]);
    const csvOf = async () => (await fileOf(page, 'Download CSV')).split('\r\n').map((line) => line.split(','));
    const [names = [], ...inMiles] = await csvOf();
    await page.getByRole('radio', { name: 'kilometres' }).check();
    // In kilometres, the distance is 1.609344 times as large, and there are fewer trip events per 100.
    await row.getByText('19.7').waitFor();
    expect((await cells(row)).slice(2, 8)).toEqual(['19.7', '30 min', '0.0', '5.1', '5.1', '0.0']);
    const [metricNames = [], ...inKilometres] = await csvOf();
    expect(metricNames).toEqual(names.map((name) => name.replace(/_miles$/, '_kilometres')));
    const [line, metricLine] = [inMiles, inKilometres].map((lines) => lines.find(([id]) => id === 'driver-1') ?? []);
    for (const [index, name] of names.entries()) {
      const [value, metric] = [line?.[index], metricLine?.[index]];
      if (name === 'distance_miles') expect(Number(metric) / Number(value)).toBeCloseTo(1.609344, 6);
      else if (name.endsWith('_per_100_miles')) expect(Number(value)).toBeCloseTo(Number(metric) * 1.609344, 6);
      else expect(metric).toBe(value);
    }
    await row.getByRole('link', { name: /why this score/ }).click();
    await heading(page, 'Why this score').waitFor();
    await page.getByText('100 − 0.00 − 5.88 − 4.26 − 0.00 − 0.00 + 0.04 (rounding) = 89.9').waitFor();
  });

  it('compares two trips', async () => {
    const { page } = await explore.open('#/compare');
    await page.getByLabel('Trip id', { exact: true }).fill(SEEN);
    await page.getByLabel('Id of a second trip to compare').fill(LONG);
    await button(page, 'Compare the trips').click();
    const row = page.getByRole('row', { name: /^Distance, mi/ });
    await row.waitFor();
    expect(await cells(row)).toEqual(['12.3', '240.5', '+228.3']);
    await page.getByRole('radio', { name: 'kilometres' }).check();
    expect(await cells(page.getByRole('row', { name: /^Distance, km/ }))).toEqual(['19.7', '387.0', '+367.3']);
  });

  it.each([
    ['long haul/1', LONG],
    [' long haul/1', SPACED],
  ])('finds the trips with the tracking id "%s", whose spaces count', async (trackingId, found) => {
    const { page } = await explore.open('#/compare');
    await page.getByLabel('Tracking id').fill(trackingId);
    await button(page, 'Find its trips').click();
    await heading(page, 'Trips with tracking id long haul/1').waitFor();
    await page.getByRole('table', { name: 'Trips', exact: true }).getByRole('link').click();
    await heading(page, /^Trip of/).waitFor();
    expect(page.url()).toContain(found);
  });

  it('shows the request of a view without the key, and the response', async () => {
    const { page } = await explore.open(`#/trip/${SEEN}`);
    await heading(page, /^Trip of/).waitFor();
    await page.getByText('The request of this view').click();
    const lines = await page.getByRole('region', { name: 'Requests as shell commands' }).innerText();
    expect(lines).toBe(
      `curl -sS '${explore.origin}/api/v1/trip/trip_id/${SEEN}' -H 'Content-Type: application/json' -H "Authorization: APIKEY $MILEPOST_API_KEY"`,
    );
    await page.getByRole('region', { name: 'JSON of the response' }).getByText(`"trip_id": "${SEEN}"`).waitFor();
  });

  it('says that a trip that ended one hour ago is not visible yet', async () => {
    const { page } = await explore.open(`#/trip/${tripId('acme', 'fresh')}`);
    await page.getByRole('alert').getByText('A trip appears 4 hours after its end.').waitFor();
  });

  it('shows no data of another fleet', async () => {
    const key = await explore.world.createKey('other');
    const { page } = await explore.open('', { key });
    await link(page, 'Grace Lovelace').waitFor();
    await page.getByText('1 of 1 drivers loaded').waitFor();
    expect(await page.getByRole('main').innerText()).not.toContain('long-hauler');
    for (const [hash, sentence] of [
      [`#/trip/${SEEN}`, /The fleet has no trip/],
      ['#/driver/long-hauler', /The fleet has no driver/],
      ['#/tracking/long%20haul%2F1', /The fleet has no trip/],
    ] as const) {
      await page.goto(`${explore.origin}/explore/${hash}`);
      await page.getByRole('alert').getByText(sentence).first().waitFor();
    }
  });

  it('asks for another key when the key is refused, and continues at the same view', async () => {
    const key = await explore.world.createKey('acme');
    const { page } = await explore.open('#/driver/driver-1', { key: 'mp_wrong' });
    await page.getByRole('alert').getByText('The API key is unknown, revoked or expired.').waitFor();
    await page.getByLabel('API key').fill(key);
    await button(page, 'Show the reports').click();
    await heading(page, 'Ada Lovelace').waitFor();
  });

  it('waits when the limit of requests per minute has been reached, and says so', async () => {
    const { page } = await explore.open();
    let refused = 0;
    await page.route('**/api/v1/driver/**', async (route) => {
      refused += 1;
      if (refused > 1) await route.continue();
      else await route.fulfill({ status: 429, headers: { 'retry-after': '2' }, json: { detail: 'Used up.' } });
    });
    await link(page, 'Ada Lovelace').click();
    await page.getByText('The request limit for this minute has been reached.').waitFor();
    await page.getByText('2 trips.').waitFor();
    await expect
      .poll(async () => await page.getByText('The request limit for this minute has been reached.').count())
      .toBe(0);
  });

  it('continues automatically after a restart of the service', async () => {
    const port = Number(new URL(explore.origin).port);
    const { page } = await explore.open();
    await link(page, 'Ada Lovelace').waitFor();
    await explore.world.api.close();
    await link(page, 'Ada Lovelace').click();
    const notices = async () => await page.getByRole('status').allInnerTexts();
    await expect.poll(notices).toContainEqual(expect.stringContaining('The service cannot be reached.'));
    const renewed = await explore.world.buildApi();
    await renewed.listen({ host: '127.0.0.1', port });
    await heading(page, 'Ada Lovelace').waitFor();
    await page.getByText('2 trips.').waitFor();
  });
});
