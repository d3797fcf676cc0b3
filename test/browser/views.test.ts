import { join } from 'node:path';
import { addDays, dateOf } from '@milepost/domain/calendar';
import { tripId } from '@milepost/domain/trip-id';
import { expect } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { it } from '../support/console/explore.ts';
import { simulatedRecords } from '../support/console/fleet.ts';
import { expectValidView, FIRST_LOOK, picturesOf, type TestedView } from '../support/console/looks.ts';

const LONG = tripId('acme', 'long');
const SEEN = tripId('acme', 'seen');

const VIEWS: TestedView[] = [
  ['drivers', '', /drivers loaded/],
  ['driver', '#/driver/SIMULATED', /days driven in six months/],
  ['driver-unknown', '#/driver/nobody', /Not found/],
  ['trip', `#/trip/${LONG}`, /Overspeeding/],
  ['trip-without-path', `#/trip/${tripId('acme', 'bare')}`, /has no path/],
  ['tracking', '#/tracking/long%20haul%2F1', /Page 1, 1 trip/],
  ['summaries', '#/summary/day/DAY?driver=driver-1&driver=long-hauler&driver=SIMULATED', /per 100 miles/],
  ['score', '#/score/day/DAY/driver-1', /Points lost/],
  ['compare', `#/compare?trip=${SEEN}&trip=${LONG}`, /Difference/],
];

describeWithBrowser("Explore's views", () => {
  const screenshots = picturesOf('explore');
  let simulated: string;

  it.beforeAll(async ({ explore }) => {
    const records = simulatedRecords('acme', explore.world.clock.now);
    await explore.add(records);
    const ids = records.flatMap((record) =>
      'source_trip_id' in record && 'driver_id' in record ? [record.driver_id] : [],
    );
    simulated = encodeURIComponent(String(ids[0]));
  });

  it.for(VIEWS)('violate no accessibility rules in any look: %s', async ([name, hash, ready], { explore }) => {
    // The trips in the shared world may be from before midnight.
    const day = addDays(dateOf(explore.world.clock.now), -2);
    const address = hash.replace('SIMULATED', simulated).replace('DAY', day);
    const tab = await explore.open(address, FIRST_LOOK);
    await tab.page.getByText(ready).first().waitFor();
    await tab.page.waitForLoadState('networkidle');
    await expectValidView(tab, join(screenshots, name));
  });

  it('violate no accessibility rules in any look of the key prompt', async ({ explore }) => {
    const tab = await explore.open('', { ...FIRST_LOOK, key: null });
    await tab.page.getByLabel('API key').waitFor();
    await expectValidView(tab, join(screenshots, 'sign-in'));
  });

  it('report that the server no longer has a part of the page, and show it after a reload', async ({ explore }) => {
    const { page } = await explore.open();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    // An upgrade removes the previous release's files.
    await page.route('**/assets/map-*', async (route) => await route.fulfill({ status: 404, json: {} }));
    await explore.go(page, `#/trip/${SEEN}`);
    const alert = page.getByRole('alert').getByText('This part of the page could not be loaded.');
    await alert.waitFor();
    // All other parts are still shown.
    await page.getByRole('table', { name: 'Trip events' }).waitFor();
    await page.unroute('**/assets/map-*');
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.locator('.vehicle').waitFor();
    expect(await alert.count()).toBe(0);
  });
});
