import { tripId } from '@milepost/domain/trip-id';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { button, expectShown } from '../support/console/contents.ts';
import { type ExploreWorld, it } from '../support/console/explore.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { openPool } from '../support/pipeline.ts';

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const radio = (page: Page, name: string) => page.getByRole('radio', { name });
const views = (page: Page) => page.getByRole('navigation', { name: 'Views' });
const field = (page: Page) => page.getByLabel('API key');
const theme = async (page: Page) => await page.locator('html').getAttribute('data-theme');
const storage = async (page: Page, name: string) => await page.evaluate<string>(`JSON.stringify({ ...${name} })`);

/** Collects the seconds in all notices about the next attempt. */
const COLLECT_SECONDS = `globalThis.seconds = [];
new MutationObserver(() => {
  const [, seconds] = /Next attempt in (\\d+) s/.exec(document.querySelector('.notice').textContent) ?? [];
  if (seconds !== undefined) globalThis.seconds.push(Number(seconds));
}).observe(document.body, { childList: true, characterData: true, subtree: true })`;

describeWithBrowser("the frame of Explore's views", () => {
  const openDrivers = async (explore: ExploreWorld, key = explore.key) => {
    const { page } = await explore.open('', { key });
    await link(page, 'Ada Lovelace').waitFor();
    return page;
  };

  it('links to the views, and marks the current one', async ({ explore }) => {
    const page = await openDrivers(explore);
    for (const [hash, title, current] of [
      ['#/driver/driver-1', 'Ada Lovelace', ['Drivers']],
      ['#/summary/day/2025-01-06', 'Summaries, 6 Jan 2025', ['Summaries']],
      [`#/trip/${tripId('acme', 'bare')}`, /^Trip of/, ['Trips']],
      ['#/tracking/none', 'Trips with tracking id none', ['Trips']],
      ['#/nothing', 'There is no such page', []],
    ] as const) {
      await explore.go(page, hash);
      const heading = await page.getByRole('heading', { level: 1, name: title }).innerText();
      expect(await views(page).locator('[aria-current=page]').allInnerTexts(), hash).toEqual(current);
      await expect.poll(async () => await page.title()).toBe(`${heading} – Milepost`);
    }
    await link(page, 'All drivers').click();
    for (const name of ['Summaries', 'Trips', 'Drivers', 'Milepost Explore']) {
      await link(page, name).click();
      await expect
        .poll(async () => await views(page).locator('[aria-current=page]').innerText())
        .toMatch(name === 'Milepost Explore' ? 'Drivers' : name);
    }
  });

  it('shows only the form until the reader signs in, and keeps the key only for this tab', async ({ explore }) => {
    const { page } = await explore.open('', { key: null });
    await field(page).waitFor();
    expect(await views(page).count()).toBe(0);
    expect(await button(page, 'Forget the key').count()).toBe(0);
    expect(await field(page).getAttribute('type')).toBe('password');
    let requests = 0;
    page.on('request', () => {
      requests += 1;
    });
    await field(page).fill('   ');
    await button(page, 'Show the reports').click();
    expect(requests).toBe(0);
    await field(page).fill(`  ${explore.key} `);
    await button(page, 'Show the reports').click();
    await link(page, 'Ada Lovelace').waitFor();
    await page.reload();
    await link(page, 'Ada Lovelace').waitFor();
    expect(page.url()).not.toContain(explore.key);
    expect(await storage(page, 'localStorage')).not.toContain(explore.key);
    expect(await page.evaluate<string>('document.cookie')).toBe('');
    await button(page, 'Forget the key').click();
    await field(page).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await storage(page, 'sessionStorage')).not.toContain(explore.key);
  });

  it('gives the reason if the service refuses a key, and continues in the same view with the next key', async ({
    explore,
  }) => {
    const { page } = await explore.open('#/drivers?find=lovelace', { key: 'mp_wrong' });
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toBe('The API key is unknown, revoked or expired. Enter another one.');
    expect(await storage(page, 'sessionStorage')).not.toContain('mp_wrong');
    await field(page).fill(await explore.world.createKey('other'));
    await button(page, 'Show the reports').click();
    await expectShown(page, '1 found among 1 of 1 drivers loaded');
    expect(await link(page, 'Grace Lovelace').count()).toBe(1);
    // The next reader sees nothing that only the previous reader was allowed to see.
    await button(page, 'Forget the key').click();
    await field(page).fill(explore.key);
    await button(page, 'Show the reports').click();
    await link(page, 'Ada Lovelace').waitFor();
    expect(await page.getByText('Grace Lovelace').count()).toBe(0);
  });

  it('keeps the chosen theme and units in the browser, and ignores invalid stored values', async ({ explore }) => {
    const page = await openDrivers(explore);
    const isChosen = async (...names: string[]) =>
      await Promise.all(names.map(async (name) => await radio(page, name).isChecked()));
    expect([await theme(page), ...(await isChosen('system', 'miles'))]).toEqual(['system', true, true]);
    await radio(page, 'dark').check();
    await radio(page, 'kilometres').check();
    await page.reload();
    await link(page, 'Ada Lovelace').waitFor();
    expect([await theme(page), ...(await isChosen('dark', 'kilometres'))]).toEqual(['dark', true, true]);
    await page.evaluate("localStorage.setItem('milepost-theme', 'pink')");
    await page.reload();
    await link(page, 'Ada Lovelace').waitFor();
    expect([await theme(page), ...(await isChosen('system', 'kilometres'))]).toEqual(['system', true, true]);
  });

  it("repeats a view's requests when the view is opened again, and sends an unsuccessful request only once", async ({
    explore,
  }) => {
    const page = await openDrivers(explore);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    await link(page, 'Trips').click();
    await page.getByRole('heading', { name: 'Trips by id' }).waitFor();
    await link(page, 'Drivers').click();
    await link(page, 'Ada Lovelace').waitFor();
    const count = (path: string) => sent.filter((each) => each === `/api/v1/${path}`).length;
    // The page shows the drivers that it already has before it requests them again.
    await expect.poll(() => count('drivers')).toBe(1);
    await explore.go(page, '#/trip/unknown');
    await page.getByRole('alert').getByText('Not found').waitFor();
    expect([count('drivers'), count('trip/trip_id/unknown')]).toEqual([1, 1]);
    expect(await page.locator('.notice').innerText()).toBe('');
  });

  it('counts down the seconds until the next attempt, as requested by the service', async ({ explore }) => {
    const page = await openDrivers(explore, await explore.world.createKey('acme', 1));
    const notice = page.locator('.notice');
    const refused = page.waitForResponse((response) => response.status() === 429);
    await explore.go(page, `#/trip/${tripId('acme', 'seen')}`);
    const retryAfter = Number((await refused).headers()['retry-after']);
    const seconds = async () => {
      const text = await notice.innerText();
      expect(text.trim()).toMatch(/^(The request limit for this minute has been reached\. Next attempt in \d+ s\.)?$/);
      return Number(/(\d+) s/.exec(text)?.[1] ?? NaN);
    };
    await expect.poll(seconds).toBeLessThanOrEqual(retryAfter);
    const shown = await seconds();
    expect(shown).toBeGreaterThan(retryAfter - 30);
    await expect.poll(seconds).toBeLessThan(shown);
    // Otherwise, screen readers would announce the countdown every second.
    expect(await notice.locator('[aria-hidden=true]').innerText()).toMatch(/^Next attempt in \d+ s\.$/);
    await page.getByText('Loading the trip …').waitFor();
  });

  it('announces the next attempts after 1 s and 2 s if the service does not specify a time', async ({ explore }) => {
    const page = await openDrivers(explore);
    await link(page, 'Trips').click();
    await page.getByRole('heading', { name: 'Trips by id' }).waitFor();
    let requests = 0;
    const third = Promise.withResolvers<void>();
    await page.route('**/api/v1/drivers?*', async (route) => {
      requests += 1;
      if (requests < 3) await route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{}' });
      else third.resolve();
    });
    await page.evaluate(COLLECT_SECONDS);
    await link(page, 'Drivers').click();
    await third.promise;
    // On a busy machine, the first text might be missed.
    const seconds = await page.evaluate<number[]>('globalThis.seconds');
    expect(seconds.length).toBeGreaterThan(0);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(2);
  });

  it('continues automatically after the service was unreachable or could not read its data', async ({ explore }) => {
    const pool = untilTestEnds(openPool('postgres://127.0.0.1:1/nowhere', undefined, 1));
    // The request must fail before the test stops waiting for the notice.
    const failing = await explore.world.buildApi({ pool, maxWaitMilliseconds: 500 });
    const origin = await failing.listen({ host: '127.0.0.1', port: 0 });
    const { page } = await explore.open('', { origin });
    const notice = async () => (await page.locator('.notice').innerText()).trim();
    await expect.poll(notice).toMatch(/^The service cannot read its data at the moment\. Next attempt in \d+ s\.$/);
    await page.getByText('Loading drivers …').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await failing.close();
    await expect.poll(notice).toMatch(/^The service cannot be reached\./);
    const renewed = await explore.world.buildApi();
    await renewed.listen({ host: '127.0.0.1', port: Number(new URL(origin).port) });
    await link(page, 'Ada Lovelace').waitFor();
    expect(await notice()).toBe('');
  });

  it('shows an error if a view fails, and the view itself when it is tried again', async ({ explore }) => {
    const page = await openDrivers(explore);
    const trip = '**/api/v1/trip/trip_id/**';
    await page.route(trip, async (route) => {
      await route.fulfill({ json: { count: 1, current_page: 1, next_page: null, limit: 5, trips: [{}] } });
    });
    await explore.go(page, `#/trip/${tripId('acme', 'seen')}`);
    const alert = page.getByRole('alert');
    await alert.getByText('This view cannot be shown').waitFor();
    await alert.getByText(/Cannot read properties of undefined/).waitFor();
    await page.unroute(trip);
    await button(page, 'Try again').click();
    await expectShown(page, '12.3 mi');
    expect(await alert.count()).toBe(0);
  });
});
