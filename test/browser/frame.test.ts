import { tripId } from '@milepost/domain/trip-id';
import { createPool, laneAt } from '@milepost/postgres';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { type ExploreWorld, openExplore } from '../support/console/explore.ts';
import { focused } from '../support/console/keyboard.ts';

const SEEN = tripId('acme', 'seen');

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const radio = (page: Page, name: string) => page.getByRole('radio', { name });
const views = (page: Page) => page.getByRole('navigation', { name: 'Views' });
const field = (page: Page) => page.getByLabel('API key');
const theme = async (page: Page) => await page.locator('html').getAttribute('data-theme');

/** Collects the seconds that all notices about a next attempt state. */
const COLLECT_SECONDS = `globalThis.seconds = [];
new MutationObserver(() => {
  const [, seconds] = /Next attempt in (\\d+) s/.exec(document.querySelector('.notice').textContent) ?? [];
  if (seconds !== undefined) globalThis.seconds.push(Number(seconds));
}).observe(document.body, { childList: true, characterData: true, subtree: true })`;

describeWithBrowser("the frame of Explore's views", () => {
  let explore: ExploreWorld;

  beforeAll(async () => {
    explore = await openExplore();
  });
  afterAll(async () => await explore?.close());

  it('links the views and marks the current one', async () => {
    const { page } = await explore.open();
    await link(page, 'Ada Lovelace').waitFor();
    const brand = page.locator('a.brand');
    expect([await brand.innerText(), await brand.getAttribute('href')]).toEqual(['Milepost Explore', '#/drivers']);
    const links = await views(page)
      .getByRole('link')
      .evaluateAll((each) => each.map((one) => [one.textContent, one.getAttribute('href')]));
    expect(links).toEqual([
      ['Drivers', '#/drivers'],
      ['Summaries', '#/summary/week/'],
      ['Trips', '#/compare'],
    ]);
    for (const [hash, title, current] of [
      ['#/drivers', 'Drivers', ['Drivers']],
      ['#/driver/driver-1', 'Ada Lovelace', ['Drivers']],
      ['#/summary/day/2025-01-06', 'Summaries, 6 Jan 2025', ['Summaries']],
      ['#/compare', 'Trips by id', ['Trips']],
      ['#/tracking/none', 'Trips with tracking id none', ['Trips']],
      ['#/nothing', 'There is no such page', []],
    ] as const) {
      await page.goto(`${explore.origin}/explore/${hash}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(await views(page).locator('[aria-current=page]').allInnerTexts(), hash).toEqual(current);
      await expect.poll(async () => await page.title()).toBe(`${title} – Milepost`);
    }
    expect(await link(page, 'All drivers').getAttribute('href')).toBe('#/drivers');
    expect(await page.getByRole('contentinfo').innerText()).toContain('All dates and times are UTC.');
  });

  it('shows only the form until the reader signs in, and ignores spaces around the key', async () => {
    const { page } = await explore.open('', { key: null });
    await field(page).waitFor();
    expect(await views(page).count()).toBe(0);
    expect(await button(page, 'Forget the key').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await field(page).getAttribute('type')).toBe('password');
    expect(await page.title()).toBe('Reports of your fleet – Milepost');
    let requests = 0;
    page.on('request', () => {
      requests += 1;
    });
    await field(page).fill('   ');
    await button(page, 'Show the reports').click();
    expect(await field(page).inputValue()).toBe('   ');
    expect(requests).toBe(0);
    await field(page).fill(`  ${explore.key} `);
    await button(page, 'Show the reports').click();
    await link(page, 'Ada Lovelace').waitFor();
    expect(await page.evaluate<string>("sessionStorage.getItem('milepost-key')")).toBe(explore.key);
    await page.reload();
    await link(page, 'Ada Lovelace').waitFor();
  });

  it('gives the reason when the service refuses a key, and none when the reader signs out', async () => {
    const { page } = await explore.open('', { key: 'mp_wrong' });
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toBe('The API key is unknown, revoked or expired. Enter another one.');
    expect(await page.evaluate<string | null>("sessionStorage.getItem('milepost-key')")).toBeNull();
    await field(page).fill(await explore.world.createKey('other'));
    await button(page, 'Show the reports').click();
    await link(page, 'Grace Lovelace').waitFor();
    await button(page, 'Forget the key').click();
    await field(page).waitFor();
    expect(await alert.count()).toBe(0);
    expect(await page.getByText('Grace Lovelace').count()).toBe(0);
    await field(page).fill(explore.key);
    await button(page, 'Show the reports').click();
    await link(page, 'Ada Lovelace').waitFor();
    expect(await page.getByText('Grace Lovelace').count()).toBe(0);
  });

  it('keeps the chosen theme and units in the browser, and nothing that is not an option', async () => {
    const { page } = await explore.open();
    await link(page, 'Ada Lovelace').waitFor();
    expect(await theme(page)).toBe('system');
    expect([await radio(page, 'system').isChecked(), await radio(page, 'miles').isChecked()]).toEqual([true, true]);
    await radio(page, 'dark').check();
    await radio(page, 'kilometres').check();
    await expect.poll(async () => await theme(page)).toBe('dark');
    await page.reload();
    await link(page, 'Ada Lovelace').waitFor();
    expect(await theme(page)).toBe('dark');
    expect([await radio(page, 'dark').isChecked(), await radio(page, 'kilometres').isChecked()]).toEqual([true, true]);
    await page.evaluate("localStorage.setItem('milepost-theme', 'pink')");
    await page.reload();
    await link(page, 'Ada Lovelace').waitFor();
    expect(await theme(page)).toBe('system');
    expect(await radio(page, 'kilometres').isChecked()).toBe(true);
  });

  it('moves the focus to the heading of the next view, and to the content on request', async () => {
    const { page } = await explore.open();
    await link(page, 'Ada Lovelace').waitFor();
    expect(await focused(page)).toBe('nothing');
    await link(page, 'Ada Lovelace').click();
    await expect.poll(async () => await focused(page)).toMatch(/^heading "Ada Lovelace"/);
    // The link in the header stays and keeps the focus.
    await link(page, 'Trips').click();
    await page.getByRole('heading', { name: 'Trips by id' }).waitFor();
    expect(await focused(page)).toBe('link "Trips"');
    await button(page, 'Skip to the content').press('Enter');
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('MAIN');
  });

  it('sends the requests of a view again when the view is opened again, and an unsuccessful one only once', async () => {
    const { page } = await explore.open();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    const drivers = () => sent.filter((path) => path === '/api/v1/drivers').length;
    await link(page, 'Ada Lovelace').waitFor();
    const before = drivers();
    await link(page, 'Trips').click();
    await page.getByRole('heading', { name: 'Trips by id' }).waitFor();
    await link(page, 'Drivers').click();
    await link(page, 'Ada Lovelace').waitFor();
    expect(drivers()).toBe(before + 1);
    await page.goto(`${explore.origin}/explore/#/trip/unknown`);
    await page.getByRole('alert').getByText('Not found').waitFor();
    expect(sent.filter((path) => path === '/api/v1/trip/trip_id/unknown')).toHaveLength(1);
    expect(await page.locator('.notice').innerText()).toBe('');
  });

  it('counts the seconds until the next attempt, which the service asked for', async () => {
    const key = await explore.world.createKey('acme', 1);
    const { page } = await explore.open('', { key });
    await link(page, 'Ada Lovelace').waitFor();
    const notice = page.locator('.notice');
    expect(await notice.innerText()).toBe('');
    const refused = page.waitForResponse((response) => response.status() === 429);
    await page.goto(`${explore.origin}/explore/#/trip/${SEEN}`);
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
    expect(await notice.locator('[aria-hidden=true]').innerText()).toMatch(/^Next attempt in \d+ s\.$/);
    await page.getByText('Loading the trip …').waitFor();
  });

  it('announces the next attempts after 1 s and 2 s if the service names no time', async () => {
    const { page } = await explore.open();
    await link(page, 'Ada Lovelace').waitFor();
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
    // On a busy machine, the first text may be missing.
    const seconds = await page.evaluate<number[]>('globalThis.seconds');
    expect(seconds.length).toBeGreaterThan(0);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(2);
  });

  it('says that the service cannot read its data while its database does not answer', async () => {
    const pool = createPool({
      part: laneAt('postgres://127.0.0.1:1/nowhere'),
      applicationName: 'milepost-test',
      connections: 1,
      statementTimeoutMilliseconds: 1_000,
    });
    // The request must fail sooner than the test stops waiting for the notice.
    const api = await explore.world.buildApi({ pool, maxWaitMilliseconds: 500 });
    try {
      const origin = await api.listen({ host: '127.0.0.1', port: 0 });
      const { page } = await explore.open();
      await page.goto(`${origin}/explore/`);
      const notice = async () => (await page.locator('.notice').innerText()).trim();
      await expect.poll(notice).toMatch(/^The service cannot read its data at the moment\. Next attempt in \d+ s\.$/);
      await page.getByText('Loading drivers …').waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    } finally {
      await api.close();
      await pool.end();
    }
  });
});
