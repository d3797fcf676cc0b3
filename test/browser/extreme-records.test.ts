import { addDays, dateOf, startOfDay } from '@milepost/domain/calendar';
import { tripId } from '@milepost/domain/trip-id';
import type { TripProcessed } from '@milepost/domain/vocabulary';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { savedFile } from '../support/console/contents.ts';
import { type ExploreWorld, openExplore } from '../support/console/explore.ts';
import { tripProcessed } from '../support/records.ts';

const LAST = Number.MAX_SAFE_INTEGER;
const FIRST = Number.MIN_SAFE_INTEGER;
const LARGEST = Number.MAX_VALUE;

function template(source_trip_id: string): TripProcessed {
  const start = startOfDay(addDays(dateOf(Date.now()), -2)) + 36_000_000;
  return tripProcessed({ source_trip_id, trip_start_time: start });
}

/** Returns a trip whose last event and last point have the largest timestamp that a record may have. */
function lastTimestamps(): TripProcessed {
  const trip = template('last-timestamps');
  const [event] = trip.events;
  const [point] = trip.trail_path;
  if (!event || !point) throw new Error('The template needs an event and a point.');
  return {
    ...trip,
    events: [...trip.events, { ...event, event_start_timestamp: LAST, event_end_timestamp: LAST }],
    trail_path: [...trip.trail_path, { ...point, timestamp: LAST }],
  };
}

/** Returns a trip whose fields have the largest or the smallest values that a record may have. */
function largestNumbers(): TripProcessed {
  const trip = template('largest-numbers');
  const [event] = trip.events;
  const [point] = trip.trail_path;
  if (!event || !point) throw new Error('The template needs an event and a point.');
  const speeding = {
    ...event,
    event_type: 9 as const,
    event_name: 'OVERSPEEDING' as const,
    event_data: { user_speed_mph: -LARGEST, speed_limit_mph: -LARGEST, max_user_speed_mph: LARGEST },
  };
  return {
    ...trip,
    trip_end_time: trip.trip_start_time + 60_000,
    duration_seconds: LARGEST,
    distance_miles: LARGEST,
    night_driving_seconds: 5e-324,
    highway_miles: LARGEST,
    night_driving_miles: LARGEST,
    start_latitude: -90,
    start_longitude: -180,
    end_latitude: 90,
    end_longitude: 180,
    event_summary: {
      phone_use_count: LAST,
      rapid_acceleration_count: LAST,
      hard_brake_count: LAST,
      overspeeding_count: LAST,
      phone_use_time_seconds: LARGEST,
      overspeeding_time_seconds: LARGEST,
    },
    events: [
      { ...speeding, event_start_timestamp: FIRST, event_end_timestamp: LAST },
      { ...speeding, event_start_timestamp: LAST, event_end_timestamp: FIRST, event_start_latitude: LARGEST },
      { ...speeding, event_start_timestamp: LAST, event_end_timestamp: FIRST, event_start_latitude: LARGEST },
      { ...event, event_start_longitude: -LARGEST, event_end_longitude: LARGEST },
    ],
    trail_path: [
      { timestamp: FIRST, latitude: -LARGEST, longitude: LARGEST, course: LARGEST },
      ...trip.trail_path,
      { ...point, latitude: LARGEST },
      { timestamp: LAST, latitude: LARGEST, longitude: -LARGEST, course: -LARGEST },
    ],
  };
}

const idOf = (sourceTripId: string) => tripId('acme', sourceTripId);

const savedGpx = async (page: Page) => (await savedFile(page.getByRole('button', { name: 'GPX', exact: true }))).text;

/** Opens the next trip in the same document, as a link does. */
async function expectNextTrip(explore: ExploreWorld, page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Drivers', exact: true }).click();
  await page.getByText(/drivers loaded/).waitFor();
  await page.goto(`${explore.origin}/explore/#/trip/${idOf('long')}`);
  await page.getByText('240.5 mi', { exact: true }).waitFor();
  await page.getByText('long-hauler', { exact: true }).waitFor();
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  expect(await page.getByRole('main').innerText()).not.toContain('12.3 mi');
}

describeWithBrowser('Explore', () => {
  let explore: ExploreWorld;

  beforeAll(async () => {
    explore = await openExplore({ records: [lastTimestamps(), largestNumbers()] });
  });
  afterAll(async () => await explore?.close());

  it('shows a trip with an event and a point at timestamp 9007199254740991', async () => {
    const { page, complaints } = await explore.open(`#/trip/${idOf('last-timestamps')}`);
    await page.getByRole('table', { name: 'Trip events' }).waitFor();
    await page.locator('.vehicle').waitFor();
    await page.getByText('12.3 mi', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show Hard brake of 9007199254740991 ms on the map' }).click();
    const gpx = await savedGpx(page);
    expect(gpx.match(/<trkpt /g)).toHaveLength(6);
    expect(gpx.match(/<time>/g)).toHaveLength(7);
    await expectNextTrip(explore, page);
    expect(complaints).toEqual([]);
  });

  it('shows a trip with the largest and smallest value in every field', async () => {
    const { page, complaints } = await explore.open(`#/trip/${idOf('largest-numbers')}`);
    await page.getByRole('table', { name: 'Trip events' }).waitFor();
    await page.locator('.vehicle').waitFor();
    await page.getByText('3 points of the path and 3 trip events are not on the map').waitFor();
    await page.getByRole('radio', { name: 'kilometres' }).check();
    await page.locator('.vehicle').waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/NaN|Infinity|undefined|∞/);
    expect((await savedGpx(page)).match(/<trkpt /g)).toHaveLength(5);
    await page.getByRole('radio', { name: 'miles' }).check();
    await expectNextTrip(explore, page);
    for (const hash of [`#/compare?trip=${idOf('largest-numbers')}&trip=${idOf('seen')}`, '#/driver/driver-1']) {
      await page.goto(`${explore.origin}/explore/${hash}`);
      await expect.poll(async () => await page.locator('.loading').count(), { timeout: 60_000 }).toBe(0);
      expect(await page.getByRole('main').innerText()).not.toMatch(/NaN|Infinity|undefined|∞/);
    }
    expect(complaints).toEqual([]);
  });

  it('shows an error for a view that fails, offers to retry it, and shows the next view', async () => {
    const { page, complaints } = await explore.open();
    await page.route('**/api/v1/trip/trip_id/**', async (route) => {
      await route.fulfill({ json: { count: 1, current_page: 1, next_page: null, limit: 5, trips: [{}] } });
    });
    await page.goto(`${explore.origin}/explore/#/trip/${idOf('seen')}`);
    await page.getByRole('alert').getByText('This view cannot be shown').waitFor();
    await page
      .getByRole('alert')
      .getByText(/Cannot read properties of undefined/)
      .waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').getByText('This view cannot be shown').waitFor();
    await page.unroute('**/api/v1/trip/trip_id/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('12.3 mi', { exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await expectNextTrip(explore, page);
    expect(complaints.every((complaint) => complaint.includes('Cannot read properties of undefined'))).toBe(true);
  });
});
