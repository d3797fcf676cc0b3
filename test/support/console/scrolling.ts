import type { Page } from 'playwright-core';

const STEPS = 15;
const STEP_PIXELS = 500;

/** Scrolls a page down and up again, turning the mouse wheel once per frame. */
export async function scrollThrough(page: Page): Promise<void> {
  await page.mouse.move(600, 500);
  for (const pixels of [STEP_PIXELS, -STEP_PIXELS]) {
    for (let step = 0; step < STEPS; step += 1) {
      await page.mouse.wheel(0, pixels);
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
  }
}
