import { tripId } from '@milepost/domain/trip-id';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import {
  button,
  expectTexts,
  hashOf,
  hold,
  hrefsOf,
  rowsOf,
  savedFile,
  savedLines,
} from '../support/console/contents.ts';
import { crossing } from '../support/console/crossing.ts';
import { type ExploreWorld, it } from '../support/console/explore.ts';
import { eventSummary } from '../support/records.ts';

const FIRST = tripId('acme', 'crossing');
const SECOND = tripId('acme', 'other');
const NOWHERE = 'f'.repeat(32);
const BOTH = `#/compare?trip=${FIRST}&trip=${SECOND}`;
const HINT = "A driver's page lists the trips. Select two trips in the list to compare them here.";

const OTHER = crossing({
  source_trip_id: 'other',
  driver_id: 'driver-1',
  trip_start_time: crossing().trip_start_time + 60_000,
  duration_seconds: 1_390,
  distance_miles: 1_234.56,
  highway_miles: 21,
  night_driving_seconds: 0,
  event_summary: eventSummary({ phone: [3, 150.4], speeding: [12, 5], accelerations: 2_500 }),
});

const first = (page: Page) => page.getByLabel('Trip id', { exact: true });
const second = (page: Page) => page.getByLabel('Id of a second trip to compare');
const figures = (page: Page) => page.getByRole('table', { name: 'Figures of both trips' });
const json = (page: Page) => page.getByRole('region', { name: 'JSON of the response' });

describeWithBrowser('trips side by side in Explore', () => {
  const open = async (explore: ExploreWorld, hash: string) => {
    const { page } = await explore.open(hash);
    await figures(page).waitFor();
    return page;
  };
  const answerOf = async (explore: ExploreWorld, id: string) =>
    (await explore.world.get(`/api/v1/trip/trip_id/${id}`)).json();

  it.beforeAll(async ({ explore }) => {
    await explore.add([crossing(), OTHER]);
  });

  it("show each of both trips' figures with the signed difference, and links to both", async ({ explore }) => {
    const page = await open(explore, BOTH);
    const expected = [
      ['Figure', 'First trip', 'Second trip', 'Difference'],
      ['Duration, minutes', '43.2', '23.2', '−20.0'],
      ['Distance, mi', '34.6', '1,234.6', '+1,200.0'],
      ['Highway, mi', '21.0', '21.0', '0.0'],
      ['Night driving, minutes', '1.3', '0.0', '−1.3'],
      ['Phone uses', '3', '3', '0'],
      ['Phone use, seconds', '150', '150', '0'],
      ['Overspeedings', '1', '12', '+11'],
      ['Overspeeding, seconds', '45', '5', '−40'],
      ['Hard brakes', '7', '0', '−7'],
      ['Rapid accelerations', '0', '2,500', '+2,500'],
    ];
    expect(await rowsOf(figures(page))).toEqual(expected);
    const { name, lines } = await savedLines(page);
    expect(name).toBe('two-trips.csv');
    expect(lines).toHaveLength(expected.length);
    expect(lines[0]).toBe('figure,first,second,difference');
    expect(lines[6]).toBe(`"Phone use, seconds",150,150.4,${150.4 - 150}`);
    const items = page.locator('ul.plain-list li');
    expect((await items.allInnerTexts()).map((text) => text.trim())).toEqual([
      'First: 15 Jan 2025, 07:58 UTC, driver long-hauler',
      'Second: 15 Jan 2025, 07:59 UTC, driver driver-1',
    ]);
    expect(await hrefsOf(items.getByRole('link'))).toEqual([`#/trip/${FIRST}`, `#/trip/${SECOND}`]);
    expect([await first(page).inputValue(), await second(page).inputValue()]).toEqual([FIRST, SECOND]);
    expect(await page.getByText(HINT).count()).toBe(0);
    await page.getByRole('radio', { name: 'kilometres' }).check();
    expect((await rowsOf(figures(page))).slice(2, 4)).toEqual([
      ['Distance, km', '55.6', '1,986.8', '+1,931.2'],
      ['Highway, km', '33.9', '33.8', '−0.1'],
    ]);
  });

  it('show both requests, without the key, and both responses in the panel, on the clipboard and as a file', async ({
    explore,
  }) => {
    const page = await open(explore, BOTH);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('The 2 requests behind this view').click();
    const lines = [FIRST, SECOND].map(
      (id) =>
        `curl -sS '${explore.origin}/api/v1/trip/trip_id/${id}' -H 'Content-Type: application/json' -H "Authorization: APIKEY $MILEPOST_API_KEY"`,
    );
    expect(await page.getByRole('region', { name: 'Requests as shell commands' }).innerText()).toBe(lines.join('\n'));
    await button(page, 'Copy as shell commands').click();
    await button(page, 'Copied').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(lines.join('\n'));
    const answers = [await answerOf(explore, FIRST), await answerOf(explore, SECOND)];
    const text = JSON.stringify(answers, null, 2);
    expect(await json(page).innerText()).toBe(text);
    expect(await savedFile(button(page, 'Download JSON'))).toEqual({ name: 'response.json', text });
  });

  it('can be opened one at a time if only one id is given, but not without an id', async ({ explore }) => {
    const { page } = await explore.open('#/compare');
    await page.getByText(HINT).waitFor();
    expect(await page.locator('.loading, details.requests, [role=alert]').count()).toBe(0);
    await first(page).fill('  ');
    await button(page, 'Show the trip').click();
    expect(hashOf(page)).toBe('#/compare');
    await second(page).fill(SECOND);
    await button(page, 'Compare the trips').click();
    await page.getByRole('link', { name: 'Compare', exact: true }).waitFor();
    expect(hashOf(page)).toBe(`#/trip/${SECOND}`);
    await page.goBack();
    await page.getByText(HINT).waitFor();
    await first(page).fill(` ${FIRST} `);
    await button(page, 'Show the trip').click();
    await expect.poll(() => hashOf(page)).toBe(`#/trip/${FIRST}`);
    // The link on a trip's page starts a comparison in which this trip is the first.
    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    await figures(page).waitFor();
    expect((await rowsOf(figures(page)))[1]).toEqual(['Duration, minutes', '43.2', '–', '–']);
    await second(page).fill(` ${SECOND} `);
    await button(page, 'Compare the trips').click();
    await expect.poll(() => hashOf(page)).toBe(BOTH);
  });

  it('are not shown while one of them is loading, or if one is unknown', async ({ explore }) => {
    const { page } = await explore.open();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    const release = await hold(page, `**/${NOWHERE}`);
    const loaded = page.waitForResponse(`**/${FIRST}`);
    await explore.go(page, `#/compare?trip=${FIRST}&trip=${NOWHERE}`);
    await loaded;
    await page.getByText('Loading trips …').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    release();
    const alert = page.getByRole('alert');
    await expectTexts(alert, [expect.stringContaining('The fleet has no trip')]);
    expect(await alert.getByRole('heading').innerText()).toBe('Not found');
    expect(await alert.locator('code').innerText()).not.toBe('');
    // By now, the other response has arrived, and the panel shows it.
    await page.getByText('The 2 requests behind this view').click();
    expect(await json(page).innerText()).toBe(JSON.stringify(await answerOf(explore, FIRST), null, 2));
    expect(await page.getByRole('table').count()).toBe(0);
  });
});
