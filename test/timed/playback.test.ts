import { tripId } from '@milepost/domain/trip-id';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { CROSSING_START, crossing } from '../support/console/crossing.ts';
import type { ExploreWorld } from '../support/console/explore.ts';
import { it, liveMark } from '../support/console/operate.ts';

const END = CROSSING_START + 2_400_000;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const slider = (page: Page) => page.getByRole('slider', { name: 'Time in the trip' });
const moment = async (page: Page) => Number(await slider(page).inputValue());
const shows = async (page: Page, label: string) =>
  await expect.poll(async () => await page.locator('.playback button').innerText()).toBe(label);
const speedOf = (page: Page) => page.getByRole('combobox', { name: 'Speed' });

/**
 * Measures the slider's speed from one move to a later one. The speed is the elapsed time of the trip divided by the
 * real time.
 */
const SPEED = `new Promise((resolve) => {
  const slider = document.querySelector('input[type=range]');
  const moves = [];
  let before = slider.valueAsNumber;
  const look = () => {
    if (slider.valueAsNumber !== before) {
      before = slider.valueAsNumber;
      moves.push([before, performance.now()]);
    }
    const [first, last] = [moves[0], moves.at(-1)];
    if (moves.length < 2 || last[1] - first[1] < 1_200) requestAnimationFrame(look);
    else resolve((last[0] - first[0]) / (last[1] - first[1]));
  };
  look();
})`;

/** Pauses, and returns the time in the trip at two moments: when the button shows "Play", and ten frames later. */
const PAUSE = `new Promise((resolve) => {
  const slider = document.querySelector('input[type=range]');
  const button = document.querySelector('.playback button');
  new MutationObserver(() => {
    if (button.innerText !== 'Play') return;
    const before = slider.valueAsNumber;
    let frames = 0;
    const next = () => (++frames > 10 ? resolve([before, slider.valueAsNumber]) : requestAnimationFrame(next));
    next();
  }).observe(button, { characterData: true, childList: true, subtree: true });
  button.click();
})`;

/** Measures the milliseconds between the vehicle's moves. */
const TIMES_BETWEEN_MOVES = `new Promise((resolve) => {
  const times = [];
  new MutationObserver((changes, observer) => {
    times.push(performance.now());
    if (times.length <= 3) return;
    observer.disconnect();
    resolve(times.slice(1).map((time, index) => time - times[index]));
  }).observe(document.querySelector('.vehicle'), { attributeFilter: ['style'] });
})`;

/** Lists the elements with an animation or a transition. */
const MOVING = `Array.from(document.querySelectorAll('*'), (element) => {
  const { transitionDuration, animationName } = getComputedStyle(element);
  const isStill = animationName === 'none' && /^(0s(, )?)+$/.test(transitionDuration);
  return isStill ? '' : [element.tagName, element.className, transitionDuration, animationName].join(' ');
}).filter((text) => text !== '')`;

describeWithBrowser('the playback of a trip', () => {
  let explore: ExploreWorld;
  const open = async () => {
    const tab = await explore.open(`#/trip/${tripId('acme', 'crossing')}`);
    await tab.page.locator('.vehicle').waitFor();
    return tab;
  };

  it.beforeAll(async ({ explore: shared }) => {
    explore = shared;
    await explore.add([crossing()]);
  });

  it('marks the trip events on its line, and names the events at each moment', async () => {
    const { page } = await open();
    const line = slider(page);
    expect(
      await Promise.all(['min', 'max', 'step', 'aria-valuetext'].map(async (name) => await line.getAttribute(name))),
    ).toEqual([String(CROSSING_START), String(END), '1000', '08:00:00 UTC']);
    const marks = await page
      .locator('.marks rect:not(.line)')
      .evaluateAll((rects) => rects.map((rect) => ['class', 'x', 'width'].map((name) => rect.getAttribute(name))));
    // A mark's width shows the trip event's duration, but is never too small to see.
    expect(marks.map(([kind, x, width]) => [kind, Math.round(Number(x)), Number(width)])).toEqual([
      ['phone_use', -25, 62.5],
      ['overspeeding', 250, 125],
      ['hard_brake', 375, 4],
      ['hard_brake', 375, 4],
      ['overspeeding', 625, 125],
      ['rapid_acceleration', 833, 4],
    ]);
    const now = page.locator('output');
    for (const [second, text] of [
      [0, '08:00:00 UTC Phone use'],
      [90, '08:01:30 UTC Phone use'],
      [91, '08:01:31 UTC'],
      [900, '08:15:00 UTC Overspeeding, Hard brake'],
      [2_400, '08:40:00 UTC'],
    ] as const) {
      await line.fill(String(CROSSING_START + second * 1_000));
      await expect.poll(async () => (await now.innerText()).trim()).toBe(text);
      await expect.poll(async () => await line.getAttribute('aria-valuetext')).toBe(text.slice(0, 12));
    }
  });

  it('pauses, resumes from the same place, and starts again after the end', async () => {
    const { page, complaints } = await open();
    await button(page, 'Play').click();
    await expect.poll(async () => await moment(page)).toBeGreaterThan(CROSSING_START);
    // At sixty times the real speed, each frame moves the slider by about one step.
    const [paused = 0, later] = await page.evaluate<number[]>(PAUSE);
    expect(later).toBe(paused);
    expect(paused).toBeLessThan(END);
    await speedOf(page).selectOption('10 ×');
    await button(page, 'Play').click();
    await shows(page, 'Pause');
    expect(await moment(page)).toBeGreaterThanOrEqual(paused);
    await slider(page).press('End');
    await shows(page, 'Play');
    expect(await moment(page)).toBe(END);
    await button(page, 'Play').click();
    await shows(page, 'Pause');
    // At this speed, the trip takes four minutes.
    expect(await moment(page)).toBeLessThan(END - 60_000);
    await slider(page).fill(String(END - 3_000));
    await speedOf(page).selectOption('300 ×');
    await expect.poll(async () => await moment(page)).toBe(END);
    await shows(page, 'Play');
    expect(complaints).toEqual([]);
  });

  it('has the chosen speed, by default sixty times the real speed', async () => {
    const { page } = await open();
    expect(await speedOf(page).locator('option').allInnerTexts()).toEqual(['10 ×', '60 ×', '300 ×']);
    await button(page, 'Play').click();
    for (const speed of [60, 10, 300]) {
      if (speed !== 60) await speedOf(page).selectOption(`${speed} ×`);
      await slider(page).press('Home');
      const measured = await page.evaluate<number>(SPEED);
      // The slider moves in steps of a second, and a busy machine has long frames.
      expect(measured).toBeGreaterThan(speed / 2);
      expect(measured).toBeLessThan(speed * 2);
    }
  });

  it.for([
    ['with one step per second, and nothing else moves, for a reader who prefers reduced motion', 'reduce'],
    ['smoothly for other readers', 'no-preference'],
  ] as const)('plays %s', async ([_, reducedMotion], { operate }) => {
    const { page } = await explore.open(`#/trip/${tripId('acme', 'long')}`, { reducedMotion });
    await page.locator('.vehicle').waitFor();
    await button(page, 'Play').click();
    const shortest = Math.min(...(await page.evaluate<number[]>(TIMES_BETWEEN_MOVES)));
    if (reducedMotion === 'no-preference') return expect(shortest).toBeLessThan(500);
    expect(shortest).toBeGreaterThan(500);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page
      .getByRole('button', { name: /^Show Overspeeding/ })
      .first()
      .click();
    await page.locator('.leaflet-popup').waitFor();
    expect(await page.evaluate<string[]>(MOVING)).toEqual([]);
    await page.route('**/api/v1/**', async () => {});
    await page.getByRole('link', { name: 'Drivers' }).click();
    await page.getByText('Loading drivers').waitFor();
    expect(await page.evaluate<string[]>(MOVING)).toEqual([]);
    const visit = await operate.open('', { reducedMotion });
    await liveMark(visit.page).waitFor();
    expect(await visit.page.evaluate<string[]>(MOVING)).toEqual([]);
  });
});
