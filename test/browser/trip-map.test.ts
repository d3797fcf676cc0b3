import { tripId } from '@milepost/domain/trip-id';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { button, expectTexts, hold } from '../support/console/contents.ts';
import { crossing } from '../support/console/crossing.ts';
import { type ExploreWorld, it } from '../support/console/explore.ts';
import { serveLocally } from '../support/listen.ts';

const CROSSING = tripId('acme', 'crossing');
const LATER = tripId('acme', 'later');
/** The titles of the marks of the trip events that are in range. */
const EVENTS = [
  'Phone use at 07:59:00 UTC',
  'Overspeeding at 08:10:00 UTC',
  ...Array(2).fill('Hard brake at 08:15:00 UTC'),
  'Overspeeding at 08:25:00 UTC',
];
/** The space, in pixels, that the map leaves around a path. */
const PADDING = 28;

const slider = (page: Page) => page.getByRole('slider', { name: 'Time in the trip' });
const marks = async (page: Page) =>
  await page
    .locator('.map .leaflet-marker-icon')
    .evaluateAll((icons) =>
      icons.map((icon) => [icon.getAttribute('title'), icon.textContent, icon.getAttribute('tabindex')]),
    );

/** The area that one colour covers on a map's canvas, in CSS pixels of the window. */
interface Drawn {
  left: number;
  right: number;
  /** The number of columns that contain the colour. */
  columns: number;
  /** The height of the tallest column. */
  height: number;
}

const FIND = (variable: string) => `(() => {
  const canvas = document.querySelector('.map canvas');
  const probe = document.createElement('span');
  probe.style.color = 'var(${variable})';
  document.querySelector('.map').append(probe);
  const colour = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
  probe.remove();
  const box = canvas.getBoundingClientRect();
  const { width, height } = canvas;
  // Reading from a copy does not slow down the page's canvas.
  const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, width, height);
  const scale = box.width / width;
  const heights = new Map();
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) {
    const at = 4 * (y * width + x);
    // The edges of a line are blurred.
    if (data[at + 3] < 250 || colour.some((part, index) => Math.abs(data[at + index] - part) > 3)) continue;
    heights.set(x, (heights.get(x) ?? 0) + 1);
  }
  if (heights.size === 0) return null;
  return {
    left: box.left + scale * Math.min(...heights.keys()),
    right: box.left + scale * (Math.max(...heights.keys()) + 1),
    columns: scale * heights.size,
    height: scale * Math.max(...heights.values()),
  };
})()`;

/** Returns where the map draws lines in a CSS variable's colour; null if it draws none. */
async function drawnIn(page: Page, variable: string): Promise<Drawn | null> {
  return await page.evaluate<Drawn | null>(FIND(variable));
}

/** Returns the middle of an element, in CSS pixels of the window. */
async function middleOf(page: Page, selector: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not visible.`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Returns how far along the path a pixel lies, as a percentage of the distance from start to end. */
async function shareOf(page: Page, pixel: number): Promise<number> {
  const [start, end] = [await middleOf(page, '.map .mark.start'), await middleOf(page, '.map .mark.end')];
  return (100 * (pixel - start.x)) / (end.x - start.x);
}

/** Returns where the line in one colour begins and ends along the path, as percentages. */
async function partOf(page: Page, variable: string): Promise<[left: number, right: number]> {
  const drawn = await drawnIn(page, variable);
  if (drawn === null) throw new Error(`The map has no line in the colour ${variable}.`);
  return [await shareOf(page, drawn.left), await shareOf(page, drawn.right)];
}

/** An image of a single pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Starts a tile server until the test ends. Returns its origin, and the requested paths with their Referer. */
async function startTiles() {
  const asked: { path: string; referer: string | undefined }[] = [];
  const { origin, close } = await serveLocally((request, response) => {
    asked.push({ path: request.url ?? '', referer: request.headers.referer });
    response.setHeader('content-type', 'image/png').setHeader('cross-origin-resource-policy', 'cross-origin');
    response.end(PICTURE);
  });
  onTestFinished(close);
  return { origin, asked };
}

/** Returns 'shown' if the page is allowed to show an image, otherwise the directive in its policy that forbids it. */
const show = (address: string) => `new Promise((resolve) => {
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
  const picture = new Image();
  picture.onload = () => resolve('shown');
  picture.src = '${address}';
})`;

describeWithBrowser('the map of a trip', () => {
  let explore: ExploreWorld;
  const open = async (hash = `#/trip/${CROSSING}`) => {
    const tab = await explore.open(hash);
    await tab.page.locator('.map .mark.end').first().waitFor();
    return tab;
  };

  it.beforeAll(async ({ explore: shared }) => {
    const events = crossing().events.slice(1, 2);
    explore = shared;
    await explore.add([crossing(), crossing({ source_trip_id: 'later', insurance_period: null, events })]);
  });

  it('marks the start, the end and each trip event in range, and is filled by the path', async () => {
    const { page, complaints } = await open();
    await page.locator('.vehicle').waitFor();
    expect(await marks(page)).toEqual([
      ...EVENTS.map((title) => [title, title[0], '0']),
      ['Start of the trip', 'A', null],
      ['End of the trip', 'B', null],
      ['Vehicle of the trip', '', null],
    ]);
    const map = await page.getByRole('region', { name: 'Map of the trip' }).boundingBox();
    if (map === null) throw new Error('The map is not visible.');
    const [start, end] = [await middleOf(page, '.map .mark.start'), await middleOf(page, '.map .mark.end')];
    expect(start.x - map.x).toBeGreaterThan(PADDING - 2);
    expect(map.x + map.width - end.x).toBeGreaterThan(PADDING - 2);
    expect(end.x - start.x).toBeGreaterThan(0.9 * (map.width - 2 * PADDING));
    expect(Math.abs(end.y - start.y)).toBeLessThan(2);
    expect(await page.getByTitle('North is up').innerText()).toBe('N');
    expect(await page.locator('.leaflet-control-attribution').innerText()).toBe('');
    expect(complaints).toEqual([]);
  });

  it('draws overspeeding over its part of the path, and wider if the excess is 10 mph or more', async () => {
    const { page } = await open();
    for (const theme of ['light', 'dark', 'system']) {
      await page.getByRole('radio', { name: theme }).check();
      await expect.poll(async () => (await drawnIn(page, '--accent')) !== null).toBe(true);
      // Each line is a few pixels longer than its part of the path, because its ends are round.
      for (const [colour, left, right] of [
        ['--accent', 0, 100],
        ['--speeding', 25, 37.5],
        ['--speeding-much', 62.5, 75],
      ] as const) {
        const part = await partOf(page, colour);
        expect(part, `${theme} ${colour}`).toEqual([expect.closeTo(left, 0), expect.closeTo(right, 0)]);
      }
    }
    for (const [colour, weight] of [
      ['--accent', 4],
      ['--speeding', 6],
      ['--speeding-much', 8],
    ] as const) {
      const height = (await drawnIn(page, colour))?.height ?? 0;
      expect(Math.abs(height - weight), colour).toBeLessThanOrEqual(1);
    }
  });

  it("opens a button's or a marker's trip event, and moves the vehicle to a button's time", async () => {
    const { page } = await open();
    await page.locator('.vehicle').waitFor();
    const popup = page.locator('.leaflet-popup-content');
    const popups = async () => await popup.allInnerTexts();
    const shareOfVehicle = async () => await shareOf(page, (await middleOf(page, '.vehicle')).x);
    await button(page, /^Show Overspeeding at .* 08:25:00/).click();
    const first = 'Overspeeding at 08:25:00 UTC\nFor 5 min\n62 mph (max 65 mph) where the limit is 55 mph';
    await expectTexts(popup, [first]);
    await expect.poll(async () => await slider(page).getAttribute('aria-valuetext')).toBe('08:25:00 UTC');
    await expect.poll(shareOfVehicle).toBeCloseTo(62.5, 0);
    // The event started before the path's first point.
    await button(page, /^Show Phone use/).click();
    await expect.poll(popups).toContain('Phone use at 07:59:00 UTC\nFor 2 min 30 s');
    await expect.poll(async () => await slider(page).getAttribute('aria-valuetext')).toBe('08:00:00 UTC');
    await expect.poll(shareOfVehicle).toBeCloseTo(0, 0);
    // The scale is in the chosen units, and the vehicle stays where it is.
    const scale = page.locator('.leaflet-control-scale-line');
    await expectTexts(scale, [expect.stringMatching(/^[\d.]+ (mi|ft)$/)]);
    await slider(page).press('End');
    await expect.poll(shareOfVehicle).toBeCloseTo(100, 0);
    await page.getByRole('radio', { name: 'kilometres' }).check();
    await expectTexts(scale, [expect.stringMatching(/^[\d.]+ k?m$/)]);
    await expect.poll(shareOfVehicle).toBeCloseTo(100, 0);
    await expect.poll(async () => await popup.count()).toBe(0);
    await page.getByTitle('Overspeeding at 08:10:00 UTC').click();
    const second = 'Overspeeding at 08:10:00 UTC\nFor 5 min\n97 km/h (max 104 km/h) where the limit is 89 km/h';
    await expectTexts(popup, [second]);
    // Choosing a marker does not move the vehicle.
    await expect.poll(shareOfVehicle).toBeCloseTo(100, 0);
  });

  it('is drawn only once, in the most recently chosen units, if its library arrives late', async () => {
    const { page, complaints } = await explore.open();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    const asked = page.waitForRequest('**/assets/map-*.js');
    const release = await hold(page, '**/assets/map-*');
    await explore.go(page, `#/trip/${CROSSING}`);
    await asked;
    await page.getByRole('radio', { name: 'kilometres' }).check();
    expect(await page.locator('.leaflet-container').count()).toBe(0);
    release();
    const [vehicle, alert] = [page.locator('.vehicle'), page.getByRole('alert')];
    await expect.poll(async () => [await vehicle.count(), await alert.count()]).toEqual([1, 0]);
    await expectTexts(page.locator('.leaflet-control-scale-line'), [expect.stringMatching(/^[\d.]+ k?m$/)]);
    expect(complaints).toEqual([]);
  });

  it('shows two trips with their own names, colours and lines, and without vehicles', async () => {
    const { page, complaints } = await open(`#/compare?trip=${CROSSING}&trip=${LATER}`);
    await page.getByRole('region', { name: 'Map of both trips' }).waitFor();
    expect((await marks(page)).map(([title]) => title)).toEqual([
      ...EVENTS,
      'Start of the first trip',
      'End of the first trip',
      EVENTS[1],
      'Start of the second trip',
      'End of the second trip',
    ]);
    // The second line is dashed, so the first line can be seen below it.
    const [first, second] = [await drawnIn(page, '--accent'), await drawnIn(page, '--second')];
    expect([first, second]).not.toContain(null);
    if (first === null || second === null) return;
    const length = second.right - second.left;
    expect(first.right - first.left).toBeGreaterThan(0.9 * length);
    expect(second.columns).toBeGreaterThan(0.3 * length);
    expect(second.columns).toBeLessThan(0.8 * length);
    expect(first.columns).toBeGreaterThan(0.1 * length);
    expect(complaints).toEqual([]);
  });

  it("shows a configured base map with its attribution, hides the views' URLs from its server, and has no other external source", async () => {
    const [tiles, other] = [await startTiles(), await startTiles()];
    const mapTiles = { address: `${tiles.origin}/{z}/{x}/{y}.png`, attribution: '© <Example>' };
    const origin = await explore.serve({ mapTiles });
    const { page, complaints } = await explore.open(`#/trip/${tripId('acme', 'seen')}`, { origin });
    await page.locator('img.leaflet-tile-loaded').first().waitFor();
    await page.getByText('© <Example>').waitFor();
    for (const { path, referer } of tiles.asked) {
      expect(path).toMatch(/^\/\d+\/\d+\/\d+\.png$/);
      expect(referer).toBe(`${origin}/`);
    }
    expect(complaints).toEqual([]);
    expect(await page.evaluate<string>(show(`${tiles.origin}/0/0/0.png`))).toBe('shown');
    expect(await page.evaluate<string>(show(`${other.origin}/0/0/0.png`))).toBe('img-src');
    expect(other.asked).toEqual([]);
  });
});
