import { tripId } from '@milepost/domain/trip-id';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { type ExploreWorld, openExplore } from '../support/console/explore.ts';
import { liveMark, openOperate } from '../support/console/operate.ts';

const MOVES = 3;

/** Measures the milliseconds between the vehicle's moves. */
const TIMES_BETWEEN_MOVES = `new Promise((resolve) => {
  const times = [];
  new MutationObserver((changes, observer) => {
    times.push(performance.now());
    if (times.length <= ${MOVES}) return;
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

describeWithBrowser('prefers-reduced-motion', () => {
  let explore: ExploreWorld;

  beforeAll(async () => {
    explore = await openExplore();
  });
  afterAll(async () => await explore?.close());

  it.each([
    ['makes a trip play with one step per second', 'reduce'],
    ['lets a trip play smoothly when it is not set', 'no-preference'],
  ] as const)('%s', async (_what, reducedMotion) => {
    const { page } = await explore.open(`#/trip/${tripId('acme', 'long')}`, { reducedMotion });
    await page.locator('.vehicle').waitFor();
    await page.getByRole('button', { name: 'Play' }).click();
    const times = await page.evaluate<number[]>(TIMES_BETWEEN_MOVES);
    const shortest = Math.min(...times);
    if (reducedMotion === 'reduce') expect(shortest).toBeGreaterThan(500);
    else expect(shortest).toBeLessThan(500);
  });

  it('disables all animations and transitions', async () => {
    const { page } = await explore.open(`#/trip/${tripId('acme', 'seen')}`, { reducedMotion: 'reduce' });
    await page.locator('.vehicle').waitFor();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByRole('button', { name: /^Show Overspeeding/ }).click();
    await page.locator('.leaflet-popup').waitFor();
    expect(await page.evaluate<string[]>(MOVING)).toEqual([]);
    await page.route('**/api/v1/**', async () => {});
    await page.getByRole('link', { name: 'Drivers' }).click();
    await page.getByText('Loading drivers').waitFor();
    expect(await page.evaluate<string[]>(MOVING)).toEqual([]);
    await page.context().close();
    const operate = await openOperate();
    try {
      const visit = await operate.open('', { reducedMotion: 'reduce' });
      await liveMark(visit.page).waitFor();
      expect(await visit.page.evaluate<string[]>(MOVING)).toEqual([]);
    } finally {
      await operate.close();
    }
  });
});
