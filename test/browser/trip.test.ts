import { addDays, dateOf, startOfDay } from '@milepost/domain/calendar';
import { tripId } from '@milepost/domain/trip-id';
import type { TripProcessed } from '@milepost/domain/vocabulary';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { button, expectShown, rowsOf, savedFile, savedLines } from '../support/console/contents.ts';
import { CROSSING_START, crossing } from '../support/console/crossing.ts';
import { type ExploreWorld, it } from '../support/console/explore.ts';
import { eventSummary, tripEvent, tripProcessed } from '../support/records.ts';

const idOf = (name: string) => tripId('acme', name);
const CROSSING = idOf('crossing');
const HOURS = 3_600_000;
const [FIRST, LAST, LARGEST] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE];

const table = (page: Page) => page.getByRole('table', { name: 'Trip events' });

/**
 * Returns `crossing()` with three points and three trip events. `points` and `events` say how many of each, starting
 * with the first, are out of range.
 */
function partlyOffMap(source_trip_id: string, points: number, events: number): object {
  const trip = crossing();
  const off = (place: object, index: number, count: number, far: object) =>
    index < count ? { ...place, ...far } : place;
  return {
    ...trip,
    source_trip_id,
    trail_path: trip.trail_path.slice(0, 3).map((point, index) => off(point, index, points, { latitude: 91 })),
    events: trip.events.slice(0, 3).map((event, index) => off(event, index, events, { event_start_longitude: 361 })),
  };
}

/** Returns a trip whose fields have the largest or the smallest values that a record may have. */
function extreme(): TripProcessed {
  const start = startOfDay(addDays(dateOf(Date.now()), -2)) + 10 * HOURS;
  const [point] = tripProcessed({ trip_start_time: start }).trail_path;
  if (!point) throw new Error('The template needs a point.');
  const event_data = { user_speed_mph: -LARGEST, speed_limit_mph: -LARGEST, max_user_speed_mph: LARGEST };
  const backwards = tripEvent(9, LAST, FIRST - LAST, { event_data, event_start_latitude: LARGEST });
  return tripProcessed({
    source_trip_id: 'extreme',
    driver_id: 'extreme',
    trip_start_time: start,
    trip_end_time: start + 60_000,
    duration_seconds: LARGEST,
    distance_miles: LARGEST,
    night_driving_seconds: 5e-324,
    highway_miles: LARGEST,
    night_driving_miles: LARGEST,
    start_latitude: -90,
    start_longitude: -180,
    end_latitude: 90,
    end_longitude: 180,
    event_summary: eventSummary({
      phone: [LAST, LARGEST],
      speeding: [LAST, LARGEST],
      brakes: LAST,
      accelerations: LAST,
    }),
    events: [
      tripEvent(2, LAST, 0),
      tripEvent(9, FIRST, LAST - FIRST, { event_data }),
      backwards,
      backwards,
      tripEvent(2, start, 0, { event_start_longitude: -LARGEST, event_end_longitude: LARGEST }),
    ],
    trail_path: [
      { timestamp: FIRST, latitude: -LARGEST, longitude: LARGEST, course: LARGEST },
      ...tripProcessed({ trip_start_time: start }).trail_path,
      { ...point, latitude: LARGEST },
      { ...point, timestamp: LAST },
      { timestamp: LAST, latitude: LARGEST, longitude: -LARGEST, course: -LARGEST },
    ],
  });
}

describeWithBrowser('a trip in Explore', () => {
  const open = async (explore: ExploreWorld, id: string) => {
    const { page, complaints } = await explore.open(`#/trip/${id}`);
    await page.getByRole('heading', { name: /^Trip of/ }).waitFor();
    return { page, complaints };
  };

  it.beforeAll(async ({ explore }) => {
    const offMap = [partlyOffMap('1-0', 1, 0), partlyOffMap('2-0', 2, 0), partlyOffMap('2-3', 2, 3)];
    await explore.add([crossing(), ...offMap, extreme()]);
  });

  it('is shown with all figures in miles and in kilometres, and links to its driver and the comparison', async ({
    explore,
  }) => {
    const { page } = await open(explore, CROSSING);
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
    // The events are in the record's order, and each event in range has a button that shows its place on the map.
    const speeds = ['60 mph (max 65 mph) where the limit is 55 mph', '62 mph (max 65 mph) where the limit is 55 mph'];
    expect((await rowsOf(table(page))).slice(1)).toEqual([
      ['15 Jan 2025, 07:59:00', 'Phone use', '2 min 30 s', '–', 'Show'],
      ['15 Jan 2025, 08:10:00', 'Overspeeding', '5 min', speeds[0], 'Show'],
      ['15 Jan 2025, 08:15:00', 'Hard brake', '2 s', '–', 'Show'],
      ['15 Jan 2025, 08:15:00', 'Hard brake', '2 s', '–', 'Show'],
      ['15 Jan 2025, 08:25:00', 'Overspeeding', '5 min', speeds[1], 'Show'],
      ['15 Jan 2025, 08:33:20', 'Rapid acceleration', '3 s', '–', 'Show'],
    ]);
    const shows = table(page).getByRole('button');
    const areDisabled = await shows.evaluateAll((all) => all.map((show) => show.hasAttribute('disabled')));
    expect(areDisabled).toEqual([...Array(5).fill(false), true]);
    expect(await shows.last().getAttribute('aria-label')).toBe(
      'Show Rapid acceleration at 15 Jan 2025, 08:33:20 on the map',
    );
    await page.getByRole('radio', { name: 'kilometres' }).check();
    expect(await facts()).toEqual(expected('55.6 km', '33.9 km', '12.7 km'));
    expect(await page.locator('.legend').innerText()).toContain('less than 16 km/h over the limit');
    expect((await rowsOf(table(page)))[2]?.[3]).toBe('97 km/h (max 104 km/h) where the limit is 89 km/h');
  });

  it("also gives its times in the reader's time zone", async ({ explore }) => {
    const { page } = await explore.open(`#/trip/${CROSSING}`, { timezoneId: 'America/New_York', locale: 'en-US' });
    const start = page.locator('dl.facts time').first();
    expect(await start.getAttribute('datetime')).toBe('2025-01-15T07:58:00.000Z');
    expect(await start.getAttribute('title')).toMatch(/^Your time: Jan 15, 2025, 2:58:00\sAM EST$/);
  });

  it("is saved with its id in the files' names, and without the table's buttons", async ({ explore }) => {
    const { page } = await open(explore, CROSSING);
    const second = (offset: number) => String(CROSSING_START + offset * 1_000);
    const { name, lines } = await savedLines(page);
    expect(name).toBe(`trip-events-${CROSSING}.csv`);
    expect(lines.slice(0, 3)).toEqual([
      'event_start_timestamp,event_name,seconds,facts',
      `${second(-60)},PHONE_USE,150,`,
      `${second(600)},OVERSPEEDING,300,60 mph (max 65 mph) where the limit is 55 mph`,
    ]);
    const { name: gpxName, text: gpx } = await savedFile(button(page, 'GPX'));
    const parts = [gpx.match(/<trkpt /g)?.length, gpx.match(/<wpt /g)?.length];
    expect([gpxName, ...parts]).toEqual([`trip-${CROSSING}.gpx`, 9, 5]);
    const { name: geoName, text: geoJson } = await savedFile(button(page, 'GeoJSON'));
    const { features } = JSON.parse(geoJson);
    expect([geoName, features.length]).toEqual([`trip-${CROSSING}.geojson`, 7]);
  });

  it('counts the points and the trip events that the map cannot show', async ({ explore }) => {
    const { page } = await open(explore, CROSSING);
    for (const [name, sentence] of [
      ['crossing', '1 point of the path and 1 trip event are'],
      ['1-0', '1 point of the path is'],
      ['2-0', '2 points of the path are'],
      ['2-3', '2 points of the path and 3 trip events are'],
      ['seen', null],
    ] as const) {
      await explore.go(page, `#/trip/${idOf(name)}`);
      await page.locator(`a[href="#/compare?trip=${idOf(name)}"]`).waitFor();
      const notes = await page.locator('main p.quiet').allInnerTexts();
      expect(
        notes.filter((text) => text.includes('not on the map')),
        name,
      ).toEqual(sentence === null ? [] : [`${sentence} not on the map because a coordinate is out of range.`]);
      // If two points are out of range, only one point of the path is on the map, and there is nothing to play.
      expect(await page.getByRole('slider').count(), name).toBe(name.startsWith('2-') ? 0 : 1);
    }
  });

  it('says if it has neither a path nor trip events, and shows no insurance period', async ({ explore }) => {
    const { page } = await open(explore, idOf('bare'));
    await page.getByText('The trip has no path: its record contains only the start and the end.').waitFor();
    await page.getByText('The trip has no trip events.').waitFor();
    expect(await button(page, 'Download CSV').isDisabled()).toBe(true);
    expect(await button(page, 'GPX').isEnabled()).toBe(true);
    const titles = async () => await page.locator('.map .mark').evaluateAll((marks) => marks.map((mark) => mark.title));
    await expect.poll(titles).toEqual(['Start of the trip', 'End of the trip']);
    expect(await page.locator('dl.facts').innerText()).not.toContain('Insurance period');
  });

  it('can be tried again until four hours after its end', async ({ explore }) => {
    const { page } = await explore.open(`#/trip/${idOf('fresh')}`);
    const alert = page.getByRole('alert');
    await alert.getByText('A trip appears 4 hours after it ends.').waitFor();
    expect(await button(page, 'GPX').count()).toBe(0);
    explore.world.clock.now += 4 * HOURS;
    onTestFinished(() => {
      explore.world.clock.now -= 4 * HOURS;
    });
    await button(page, 'Try again').click();
    await page.getByRole('heading', { name: /^Trip of/ }).waitFor();
    expect(await alert.count()).toBe(0);
  });

  it('is shown even with the largest and smallest values in every field, and so is the next trip', async ({
    explore,
  }) => {
    const { page, complaints } = await open(explore, idOf('extreme'));
    await page.locator('.vehicle').waitFor();
    await expectShown(page, '3 points of the path and 3 trip events are not on the map');
    const expectNumbers = async () =>
      expect(await page.getByRole('main').innerText()).not.toMatch(/NaN|Infinity|undefined|∞/);
    await button(page, `Show Hard brake at ${LAST} ms on the map`).click();
    expect((await savedFile(button(page, 'GPX'))).text.match(/<trkpt /g)).toHaveLength(6);
    await page.getByRole('radio', { name: 'kilometres' }).check();
    await expectNumbers();
    for (const [hash, name] of [
      [`#/compare?trip=${idOf('extreme')}&trip=${idOf('seen')}`, 'Two trips'],
      ['#/driver/extreme', 'extreme'],
    ] as const) {
      await explore.go(page, hash);
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      await expect.poll(async () => await page.locator('.loading').count()).toBe(0);
      await expectNumbers();
    }
    await explore.go(page, `#/trip/${idOf('long')}`);
    await expectShown(page, '387.0 km');
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});
