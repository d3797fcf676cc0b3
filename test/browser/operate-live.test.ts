import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { expectTexts } from '../support/console/contents.ts';
import { it, liveMark, openPerSuite } from '../support/console/operate.ts';
import { requestOf, TOKEN } from '../support/ops.ts';
import { deliver, projectAll } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';

const STATUS_MILLISECONDS = 200;
/** Two of these intervals are longer than the time after which a silent connection counts as lost. */
const SLOW_STATUS_MILLISECONDS = 5_500;
/** A connection without a status for this long counts as lost. */
const SILENCE_MILLISECONDS = 10_000;
const NEVER_MILLISECONDS = 600_000;
/** The server's maximum. */
const STREAMS = 50;
const RECORDS = 600;

const notice = (page: Page) => page.getByRole('status').filter({ hasText: 'Not live' });
const health = (page: Page) => page.locator('.health');

/** Records when the page requests the stream. */
function streamRequests(page: Page): number[] {
  const times: number[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/events') times.push(Date.now());
  });
  return times;
}

interface Line {
  /** The topmost and leftmost pixels, as shares of the chart's height and width. */
  top: number;
  left: number;
}

/** Returns a chart's line in the light theme's accent colour; null if there is none. */
async function lineOf(page: Page, title: string): Promise<Line | null> {
  return await page.evaluate<Line | null>(`(() => {
    const canvas = document.querySelector('[aria-label="${title} in the last five minutes"] canvas');
    if (canvas === null) return null;
    const { width, height } = canvas;
    const pixels = canvas.getContext('2d').getImageData(0, 0, width, height).data;
    const accent = [0x0b, 0x5c, 0x7a];
    const found = [...Array(width * height).keys()].filter((index) => {
      const difference = accent.reduce((sum, part, at) => sum + Math.abs(pixels[4 * index + at] - part), 0);
      return pixels[4 * index + 3] > 100 && difference < 30;
    });
    if (found.length === 0) return null;
    const left = found.reduce((least, index) => Math.min(least, index % width), width);
    return { top: Math.floor(found[0] / width) / height, left: left / width };
  })()`);
}

/** An operator must never mistake old figures for current ones, and must not have to reload the page. */
describeWithBrowser("Operate's live status", () => {
  const operate = openPerSuite({ statusIntervalMilliseconds: STATUS_MILLISECONDS });

  it('gives the cause and the time of the last status while the server cannot read the status', async () => {
    const { page } = await operate.open();
    await liveMark(page).waitFor();
    await expect.poll(async () => await health(page).innerText()).toMatch(/^Ready/);
    const { owner } = operate.world.pipeline;
    await owner.query('REVOKE SELECT ON source_warning FROM milepost_operator');
    try {
      await expect.poll(async () => await notice(page).count()).toBe(1);
      const words = await notice(page).innerText();
      expect(words).toMatch(/^Not live: as of \d\d:\d\d:\d\d UTC\. The server cannot read the status at the moment\.$/);
      expect(await liveMark(page).count()).toBe(0);
      expect(await health(page).innerText()).toBe('The health of the service is currently unknown.');
      // The last known data stays visible.
      expect(await page.getByRole('table', { name: 'Projections' }).count()).toBe(1);
      // The time must be that of the last status rather than that of the last event.
      await expect.poll(async () => await page.evaluate<number>('performance.now()')).toBeGreaterThan(4_000);
      expect(await notice(page).innerText()).toBe(words);
    } finally {
      await owner.query('GRANT SELECT ON source_warning TO milepost_operator');
    }
    await liveMark(page).waitFor();
    expect(await notice(page).count()).toBe(0);
    await expect.poll(async () => await health(page).innerText()).toMatch(/^Ready/);
  });

  it('gives the HTTP status of a refusal, without a time if no status has been received yet', async () => {
    const { stop: stopServer, origin } = await operate.serve({ statusIntervalMilliseconds: STATUS_MILLISECONDS });
    const stop = new AbortController();
    const streams = Array.from({ length: STREAMS }, async () => {
      const { headers, url } = requestOf('/events');
      return await fetch(`${origin}${url}`, {
        headers: { authorization: String(headers?.['authorization']) },
        signal: stop.signal,
      });
    });
    for (const { status } of await Promise.all(streams)) expect(status).toBe(200);
    const { page } = await operate.open('', { origin });
    await notice(page).waitFor();
    expect(await notice(page).innerText()).toBe('Not live. The server responded with status 503.');
    expect(await page.getByText('Loading the status …').count()).toBe(1);
    stop.abort();
    await liveMark(page).waitFor();
    expect(await notice(page).count()).toBe(0);
    await stopServer();
  });

  it('waits longer after each failure, and starts over after a status', async () => {
    const first = await operate.serve({ statusIntervalMilliseconds: STATUS_MILLISECONDS });
    const port = Number(new URL(first.origin).port);
    const restart = async () => await operate.serve({ statusIntervalMilliseconds: STATUS_MILLISECONDS }, port);
    const { page } = await operate.open('#/keys', { origin: first.origin });
    await liveMark(page).waitFor();
    await page.evaluate(`{
      const start = setTimeout;
      delays = [];
      setTimeout = (work, delay) => {
        if (delay >= 1_000 && delay !== ${SILENCE_MILLISECONDS}) delays.push(delay);
        return delay === ${SILENCE_MILLISECONDS} ? 0 : start(work, delay);
      };
    }`);
    const delays = async () => await page.evaluate<number[]>('delays');
    const restarted = Promise.withResolvers<void>();
    let attempts = 0;
    await page.route('**/events', async (route) => {
      attempts += 1;
      if (attempts <= 2) return await route.abort();
      await restarted.promise;
      await route.continue();
    });
    await first.stop();
    await expectTexts(notice(page), [expect.stringMatching(/^Not live: as of .* The server cannot be reached\.$/)]);
    await expect.poll(() => attempts).toBe(3);
    const second = await restart();
    restarted.resolve();
    await liveMark(page).waitFor();
    expect(await delays()).toEqual([1_000, 1_000, 2_000]);
    await second.stop();
    const third = await restart();
    onTestFinished(third.stop);
    await expect.poll(async () => (await delays()).length).toBeGreaterThan(3);
    // If this counted as another failure in the series, the page would wait for four seconds.
    expect((await delays())[3]).toBe(1_000);
    await liveMark(page).waitFor();
  });

  it('counts a connection without a status for ten seconds as lost, but not one with slow statuses', async () => {
    const silent = await operate.serve({ statusIntervalMilliseconds: NEVER_MILLISECONDS });
    const slow = await operate.serve({ statusIntervalMilliseconds: SLOW_STATUS_MILLISECONDS });
    for (const { stop } of [silent, slow]) onTestFinished(stop);
    const { page: slowPage } = await operate.open('', { origin: slow.origin });
    await liveMark(slowPage).waitFor();
    const requests = streamRequests(slowPage);
    const { page } = await operate.open('', { origin: silent.origin });
    await liveMark(page).waitFor();
    // One observation is enough for a lag, but not for a rate.
    await expectTexts(page.locator('.figure .large'), [
      ...Array.from({ length: 3 }, () => '– per second'),
      '0.0 seconds',
    ]);
    await page.getByText(/^Not live: as of .* The server has sent nothing for ten seconds\.$/).waitFor();
    expect(await page.evaluate<number>('performance.now()')).toBeGreaterThan(10_000);
    await liveMark(page).waitFor();
    await expect
      .poll(async () => await slowPage.evaluate<number>('performance.now()'))
      .toBeGreaterThan(2.2 * SLOW_STATUS_MILLISECONDS);
    await liveMark(slowPage).waitFor();
    expect(requests).toHaveLength(0);
  });

  it('asks for another token if the server refuses the current one, and then follows the status again', async () => {
    const old = await operate.serve({ token: 'old-token-of-the-server' });
    const { page } = await operate.open('', { origin: old.origin, token: 'old-token-of-the-server' });
    await liveMark(page).waitFor();
    await old.stop();
    const { stop } = await operate.serve({}, Number(new URL(old.origin).port));
    const alert = page.getByRole('alert');
    await alert.getByText(/Enter another one\.$/).waitFor();
    expect(await page.getByRole('banner').getByText('Live').count()).toBe(0);
    await page.getByLabel("Operators' token").fill(TOKEN);
    await page.getByRole('button', { name: 'Enter', exact: true }).click();
    await liveMark(page).waitFor();
    const requests = streamRequests(page);
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await page.getByLabel("Operators' token").waitFor();
    expect([await alert.count(), await page.getByRole('status').allInnerTexts()]).toEqual([0, ['']]);
    await stop();
    expect(requests).toEqual([]);
  });

  it("shows each stage's rate, and draws the largest lag", async () => {
    const { page } = await operate.open();
    await liveMark(page).waitFor();
    const { ingest } = operate.world.pipeline;
    const figure = (title: string) => page.locator('.figure').filter({ hasText: title }).locator('.large');
    const rates = async () =>
      await Promise.all(
        ['Records read', 'Events stored', 'Events applied'].map(async (title) => {
          const [, rate] = /^([\d,]+) per second$/.exec(await figure(title).innerText()) ?? [];
          return rate === undefined ? null : Number(rate.replaceAll(',', '')) > 0;
        }),
      );
    await expect.poll(rates).toEqual([false, false, false]);
    const broken = Array.from({ length: RECORDS }, (_, index) => `{broken ${index}`);
    await deliver(ingest, broken, 'rates.trips');
    await expect.poll(rates).toEqual([true, false, false]);
    const trips = Array.from({ length: RECORDS }, (_, index) => tripProcessed({ source_trip_id: `rate-${index}` }));
    await deliver(ingest, trips, 'rates.trips');
    await expect.poll(rates).toEqual([true, true, false]);
    await expect.poll(async () => await figure('Largest lag').innerText()).toMatch(/^[1-9][\d,]*\.\d seconds$/);
    // The lag is above zero, so its line is near the top. Nothing is being applied, so the other line is at the bottom.
    await expect.poll(async () => (await lineOf(page, 'Largest lag'))?.top).toBeLessThan(0.4);
    await expect.poll(async () => (await lineOf(page, 'Events applied'))?.top).toBeGreaterThan(0.6);
    // The chart shows five minutes, so observations from the last few seconds are at its right end.
    await expect.poll(async () => (await lineOf(page, 'Events applied'))?.left).toBeGreaterThan(0.7);
    await projectAll(operate.world.pipeline);
    // By now, the records may have been read and stored more than 30 seconds ago, so the rates no longer include them.
    await expect.poll(async () => (await rates()).at(-1)).toBe(true);
    await expect.poll(async () => await figure('Largest lag').innerText()).toBe('0.0 seconds');
  });
});
