import { tripId } from '@milepost/domain/trip-id';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { savedFile } from '../support/console/contents.ts';
import { CROSSING_START, crossing } from '../support/console/crossing.ts';
import { type ExploreWorld, openExplore } from '../support/console/explore.ts';

const idOf = (name: string) => tripId('acme', name);
const CROSSING = idOf('crossing');
const HOURS = 3_600_000;
const SENTENCE = 'A trip appears 4 hours after its end.';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const rows = (page: Page) => page.getByRole('table', { name: 'Trip events' }).locator('tbody tr');

/** Returns a trip with the first points and trip events of `crossing()`. The given numbers of each are out of range. */
function partlyOffMap(source_trip_id: string, points: number, events: number): object {
  const trip = crossing();
  return {
    ...trip,
    source_trip_id,
    trail_path: trip.trail_path
      .slice(0, 3)
      .map((point, index) => (index < points ? { ...point, latitude: 91 } : point)),
    events: trip.events
      .slice(0, 3)
      .map((event, index) => (index < events ? { ...event, event_start_longitude: 361 } : event)),
  };
}

describeWithBrowser('a trip in Explore', () => {
  let explore: ExploreWorld;
  const open = async (id: string) => {
    const { page } = await explore.open(`#/trip/${id}`);
    await page.getByRole('heading', { name: /^Trip of/ }).waitFor();
    return page;
  };

  beforeAll(async () => {
    const records = [
      crossing(),
      partlyOffMap('1-0', 1, 0),
      partlyOffMap('2-0', 2, 0),
      partlyOffMap('0-1', 0, 1),
      partlyOffMap('2-3', 2, 3),
    ];
    explore = await openExplore({ records });
  });
  afterAll(async () => await explore?.close());

  it('is shown with all figures in miles and in kilometres, and links its driver and the comparison', async () => {
    const page = await open(CROSSING);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Trip of 15 Jan 2025, 07:58');
    expect(await page.title()).toBe('Trip of 15 Jan 2025, 07:58 – Milepost');
    const facts = async () => await page.locator('dl.facts > div').allInnerTexts();
    const expected = (distance: string, highway: string, night: string) => [
      'Driver\nlong-hauler',
      'Start (UTC)\n15 Jan 2025, 07:58:00',
      'End (UTC)\n15 Jan 2025, 08:41:00',
      'Duration\n43 min',
      `Distance\n${distance}`,
      `Highway\n${highway}`,
      `At night\n1 min 15 s, ${night}`,
      'Phone use\n3 times, 2 min 30 s',
      'Overspeeding\n1 time, 45 s',
      'Hard brakes\n7 times',
      'Rapid accelerations\nnever',
      'Insurance period\n2',
      'Focus areas\nphone use\nhard brake',
    ];
    expect(await facts()).toEqual(expected('34.6 mi', '21.0 mi', '7.9 mi'));
    expect(await page.getByRole('link', { name: 'long-hauler' }).getAttribute('href')).toBe('#/driver/long-hauler');
    expect(await page.getByRole('link', { name: 'Compare' }).getAttribute('href')).toBe(`#/compare?trip=${CROSSING}`);
    const legend = page.locator('.legend');
    expect((await legend.innerText()).split('\n').map((text) => text.trim())).toEqual([
      'path',
      'less than 10 mph over the limit',
      'more',
      'A start',
      'B end',
    ]);
    await page.getByRole('radio', { name: 'kilometres' }).check();
    expect(await facts()).toEqual(expected('55.6 km', '33.9 km', '12.7 km'));
    expect(await legend.innerText()).toContain('less than 16 km/h over the limit');
  });

  it('names its times in the time zone of the reader', async () => {
    const { page } = await explore.open(`#/trip/${CROSSING}`, { timezoneId: 'America/New_York', locale: 'en-US' });
    const start = page.locator('dl.facts time').first();
    expect(await start.getAttribute('datetime')).toBe('2025-01-15T07:58:00.000Z');
    expect(await start.getAttribute('title')).toMatch(/^Your time: Jan 15, 2025, 2:58:00\sAM EST$/);
  });

  it('lists its trip events in the order of the record, and offers the place of those on the map', async () => {
    const page = await open(CROSSING);
    const speeds = ['60 mph (max 65 mph) at a speed limit of 55 mph', '62 mph (max 65 mph) at a speed limit of 55 mph'];
    const cells = await Promise.all(
      (await rows(page).all()).map(async (row) => await row.locator('th, td').allInnerTexts()),
    );
    expect(cells).toEqual([
      ['15 Jan 2025, 07:59:00', 'Phone use', '2 min 30 s', '–', 'Show'],
      ['15 Jan 2025, 08:10:00', 'Overspeeding', '5 min', speeds[0], 'Show'],
      ['15 Jan 2025, 08:15:00', 'Hard brake', '2 s', '–', 'Show'],
      ['15 Jan 2025, 08:15:00', 'Hard brake', '2 s', '–', 'Show'],
      ['15 Jan 2025, 08:25:00', 'Overspeeding', '5 min', speeds[1], 'Show'],
      ['15 Jan 2025, 08:33:20', 'Rapid acceleration', '3 s', '–', 'Show'],
    ]);
    const shows = rows(page).getByRole('button');
    expect(await Promise.all((await shows.all()).map(async (show) => await show.isDisabled()))).toEqual([
      ...Array.from({ length: 5 }, () => false),
      true,
    ]);
    expect(await shows.last().getAttribute('aria-label')).toBe(
      'Show Rapid acceleration of 15 Jan 2025, 08:33:20 on the map',
    );
    await page.getByRole('radio', { name: 'kilometres' }).check();
    expect(await rows(page).nth(1).locator('td').nth(2).innerText()).toBe(
      '97 km/h (max 104 km/h) at a speed limit of 89 km/h',
    );
  });

  it('is saved with its id in the names of the files, and without the buttons of the table', async () => {
    const page = await open(CROSSING);
    const second = (offset: number) => String(CROSSING_START + offset * 1_000);
    expect(await savedFile(button(page, 'Download CSV'))).toEqual({
      name: `trip-events-${CROSSING}.csv`,
      text: [
        'event_start_timestamp,event_name,seconds,facts',
        `${second(-60)},PHONE_USE,150,`,
        `${second(600)},OVERSPEEDING,300,60 mph (max 65 mph) at a speed limit of 55 mph`,
        `${second(900)},HARD_BRAKE,2,`,
        `${second(900)},HARD_BRAKE,2,`,
        `${second(1_500)},OVERSPEEDING,300,62 mph (max 65 mph) at a speed limit of 55 mph`,
        `${second(2_000)},RAPID_ACCELERATION,3,`,
        '',
      ].join('\r\n'),
    });
    const { name: gpxName, text: gpx } = await savedFile(button(page, 'GPX'));
    expect([gpxName, gpx.match(/<trkpt /g)?.length, gpx.match(/<wpt /g)?.length]).toEqual([
      `trip-${CROSSING}.gpx`,
      9,
      5,
    ]);
    const { name: geoName, text: geoJson } = await savedFile(button(page, 'GeoJSON'));
    const { features } = JSON.parse(geoJson);
    expect([geoName, features.length]).toEqual([`trip-${CROSSING}.geojson`, 7]);
    const { trips } = (await explore.world.get(`/api/v1/trip/trip_id/${CROSSING}`)).json();
    expect(features[0].geometry.coordinates).toEqual(
      trips[0].trail_path.map(({ latitude, longitude }: Record<string, number>) => [longitude, latitude]),
    );
    expect(features.slice(1).map(({ properties }: Record<string, unknown>) => properties)).toEqual(trips[0].events);
  });

  it('counts the points and the trip events that the map cannot show', async () => {
    const page = await open(CROSSING);
    for (const [name, sentence] of [
      ['crossing', '1 point of the path and 1 trip event are'],
      ['1-0', '1 point of the path is'],
      ['2-0', '2 points of the path are'],
      ['0-1', '1 trip event is'],
      ['2-3', '2 points of the path and 3 trip events are'],
      ['seen', null],
    ] as const) {
      await page.goto(`${explore.origin}/explore/#/trip/${idOf(name)}`);
      await page.locator(`a[href="#/compare?trip=${idOf(name)}"]`).waitFor();
      const notes = await page.locator('main p.quiet').allInnerTexts();
      expect(
        notes.filter((text) => text.includes('not on the map')),
        name,
      ).toEqual(
        sentence === null ? [] : [`${sentence} not on the map: the latitude or the longitude is out of range.`],
      );
      // If two points are out of range, the path has only one point on the map and nothing to play.
      expect(await page.getByRole('slider').count(), name).toBe(name.startsWith('2-') ? 0 : 1);
    }
  });

  it('says that it has neither a path nor trip events, and no insurance period', async () => {
    const page = await open(idOf('bare'));
    await page.getByText('The trip has no path: its record contains only the start and the end.').waitFor();
    await page.getByText('The trip has no trip events.').waitFor();
    expect(await rows(page).count()).toBe(0);
    expect(await button(page, 'Download CSV').isDisabled()).toBe(true);
    expect(await button(page, 'GPX').isEnabled()).toBe(true);
    const titles = await page.locator('.map .mark').evaluateAll((marks) => marks.map((mark) => mark.title));
    expect(titles).toEqual(['Start of the trip', 'End of the trip']);
    expect(await page.locator('.vehicle').count()).toBe(0);
    expect(await page.locator('dl.facts').innerText()).not.toContain('Insurance period');
  });

  it('can be tried again until four hours after its end', async () => {
    const { page } = await explore.open(`#/trip/${idOf('fresh')}`);
    const alert = page.getByRole('alert');
    await alert.getByText(SENTENCE).waitFor();
    expect(await page.title()).toBe('Trip – Milepost');
    for (const name of ['GPX', 'GeoJSON']) expect(await button(page, name).count()).toBe(0);
    explore.world.clock.now += 4 * HOURS;
    try {
      await button(page, 'Try again').click();
      const heading = page.getByRole('heading', { level: 1 });
      await expect.poll(async () => await heading.innerText()).toMatch(/^Trip of/);
      expect(await alert.count()).toBe(0);
    } finally {
      explore.world.clock.now -= 4 * HOURS;
    }
  });
});
