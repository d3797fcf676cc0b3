import { join } from 'node:path';
import { addDays, dateOf } from '@milepost/domain/calendar';
import { tripId } from '@milepost/domain/trip-id';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { type ExploreWorld, openExplore } from '../support/console/explore.ts';
import { expectValidView, FIRST_LOOK, makeScreenshots, type TestedView } from '../support/console/looks.ts';

const LONG = tripId('acme', 'long');
const SEEN = tripId('acme', 'seen');
const DAY = addDays(dateOf(Date.now()), -2);

const VIEWS: TestedView[] = [
  ['drivers', '', /drivers loaded/],
  ['drivers-none-found', '#/drivers?find=nobody', /No driver found/],
  ['driver', '#/driver/SIMULATED', /days driven in six months/],
  ['driver-unknown', '#/driver/nobody', /Not found/],
  ['trip', `#/trip/${LONG}`, /Overspeeding/],
  ['trip-simulated', '#/trip/LONGEST', /Trip events/],
  ['trip-without-path', `#/trip/${tripId('acme', 'bare')}`, /has no path/],
  ['trip-not-yet-visible', `#/trip/${tripId('acme', 'fresh')}`, /not yet visible/],
  ['tracking', '#/tracking/long%20haul%2F1', /Page 1, 1 trip/],
  ['summaries', `#/summary/day/${DAY}?driver=driver-1&driver=long-hauler&driver=SIMULATED`, /per 100 miles/],
  ['summaries-of-nobody', '#/summary/week/', /No drivers chosen/],
  ['score', `#/score/day/${DAY}/driver-1`, /Points lost/],
  ['compare', `#/compare?trip=${SEEN}&trip=${LONG}`, /Difference/],
  ['unknown', '#/nothing', /no such page/],
];

interface Driven {
  trip_id: string;
  distance_miles: number;
}

describeWithBrowser("Explore's views", () => {
  let explore: ExploreWorld;
  let screenshots: string;
  let simulated: string;
  let longestTrip: string;

  beforeAll(async () => {
    screenshots = await makeScreenshots('explore');
    explore = await openExplore({ hasSimulated: true });
    const { drivers } = (await explore.world.get('/api/v1/drivers?limit=100')).json();
    const driven = drivers.filter((driver: { last_travel_date: string | null }) => driver.last_travel_date !== null);
    simulated = encodeURIComponent(driven.at(-2).driver_id);
    const { trips } = (
      await explore.world.get(`/api/v1/driver/${simulated}/trips?start_date=${addDays(DAY, -20)}&limit=100`)
    ).json();
    const longest = trips.toSorted((one: Driven, other: Driven) => other.distance_miles - one.distance_miles)[0];
    longestTrip = longest.trip_id;
  });
  afterAll(async () => await explore?.close());

  const address = (hash: string) => hash.replace('SIMULATED', simulated).replace('LONGEST', longestTrip);
  it.each(VIEWS)('violate no accessibility rule in any look: %s', async (name, hash, ready) => {
    const { page, complaints } = await explore.open(address(hash), FIRST_LOOK);
    await page.getByText(ready).first().waitFor();
    await page.waitForLoadState('networkidle');
    await expectValidView(page, join(screenshots, name));
    // Chromium reports each response with status 404.
    expect(complaints.filter((complaint) => !complaint.includes('404 (Not Found)'))).toEqual([]);
    await page.context().close();
  });

  it('violate no accessibility rule in any look of the prompt for the key', async () => {
    const { page, complaints } = await explore.open('', { ...FIRST_LOOK, key: null });
    await page.getByLabel('API key').waitFor();
    await expectValidView(page, join(screenshots, 'sign-in'));
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
