import { tripId } from '@milepost/domain/trip-id';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { CROSSING_START, crossing } from '../support/console/crossing.ts';
import { type ExploreWorld, openExplore } from '../support/console/explore.ts';

const END = CROSSING_START + 2_400_000;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const slider = (page: Page) => page.getByRole('slider', { name: 'Time in the trip' });
const moment = async (page: Page) => Number(await slider(page).inputValue());
const shows = async (page: Page, label: string) =>
  await expect.poll(async () => await page.locator('.playback button').innerText()).toBe(label);
const speedOf = (page: Page) => page.getByRole('combobox', { name: 'Speed' });

/**
 * Measures the slider's speed from one move to a later one, which is the elapsed time of the trip divided by the real
 * time.
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

/** Pauses, and returns the time in the trip when the button shows "Play" and ten frames later. */
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

describeWithBrowser('the playback of a trip', () => {
  let explore: ExploreWorld;
  const open = async () => {
    const tab = await explore.open(`#/trip/${tripId('acme', 'crossing')}`);
    await tab.page.locator('.vehicle').waitFor();
    return tab;
  };

  beforeAll(async () => {
    explore = await openExplore({ records: [crossing()] });
  });
  afterAll(async () => await explore?.close());

  it('names each moment and the trip events at that moment, each name once', async () => {
    const { page } = await open();
    const line = slider(page);
    expect(
      await Promise.all(['min', 'max', 'step', 'aria-valuetext'].map(async (name) => await line.getAttribute(name))),
    ).toEqual([String(CROSSING_START), String(END), '1000', '08:00:00 UTC']);
    const now = page.locator('output');
    for (const [second, text] of [
      [0, '08:00:00 UTC Phone use'],
      [90, '08:01:30 UTC Phone use'],
      [91, '08:01:31 UTC'],
      [599, '08:09:59 UTC'],
      [600, '08:10:00 UTC Overspeeding'],
      [900, '08:15:00 UTC Overspeeding, Hard brake'],
      [902, '08:15:02 UTC Hard brake'],
      [903, '08:15:03 UTC'],
      [2_400, '08:40:00 UTC'],
    ] as const) {
      await line.fill(String(CROSSING_START + second * 1_000));
      await expect.poll(async () => (await now.innerText()).trim()).toBe(text);
      await expect.poll(async () => await line.getAttribute('aria-valuetext')).toBe(text.slice(0, 12));
    }
  });

  it('marks the trip events on its line, as wide as their duration and at least visible', async () => {
    const { page } = await open();
    const marks = await page.locator('.marks rect:not(.line)').evaluateAll((rects) =>
      rects.map((rect) => ({
        kind: rect.getAttribute('class'),
        title: rect.textContent,
        x: Number(rect.getAttribute('x')),
        width: Number(rect.getAttribute('width')),
      })),
    );
    const brake = { kind: 'hard_brake', title: 'Hard brake', x: 375, width: 4 };
    expect(marks).toEqual([
      { kind: 'phone_use', title: 'Phone use', x: -25, width: 62.5 },
      { kind: 'overspeeding', title: 'Overspeeding', x: 250, width: 125 },
      brake,
      brake,
      { kind: 'overspeeding', title: 'Overspeeding', x: 625, width: 125 },
      { kind: 'rapid_acceleration', title: 'Rapid acceleration', x: expect.closeTo(833.33, 2), width: 4 },
    ]);
  });

  it('pauses, goes on from there, and starts again after the end', async () => {
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
    await page.getByRole('link', { name: 'Drivers' }).click();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('stops at the last point', async () => {
    const { page } = await open();
    await slider(page).fill(String(END - 3_000));
    await speedOf(page).selectOption('300 ×');
    await button(page, 'Play').click();
    await expect.poll(async () => await moment(page)).toBe(END);
    await shows(page, 'Play');
    expect(await page.locator('output').innerText()).toContain('08:40:00 UTC');
  });

  it('has the chosen speed, sixty times the real one by default', async () => {
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
});
