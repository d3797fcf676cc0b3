import type { Page } from 'playwright-core';

/** Delays the page's requests about a lane until the returned function is called. */
export async function holdLane(page: Page, lane: number): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**/lanes/${lane}/**`, async (route) => {
    await promise;
    // The page may have aborted the request.
    await route.continue().catch(() => {});
  });
  return resolve;
}
