import type { FastifyInstance } from 'fastify';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser } from '../support/console/browser.ts';
import { liveMark, type OperateWorld, openOperate } from '../support/console/operate.ts';
import { openTab } from '../support/console/tab.ts';
import { requestOf, TOKEN } from '../support/ops.ts';
import { deliver, projectAll } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';

const WAIT = { timeout: 30_000 };
const STATUS_MILLISECONDS = 200;
/** Two of these intervals take longer than a silent connection may last before it counts as lost. */
const SLOW_STATUS_MILLISECONDS = 5_500;
const NEVER_MILLISECONDS = 600_000;
/** The server's maximum. */
const STREAMS = 50;
const TIMER_MARGIN_MILLISECONDS = 100;
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
  /** The highest and the leftmost pixel, as shares of the chart's height and width. */
  top: number;
  left: number;
}

/** Returns a chart's line in the accent of the light colours; null if there is none. */
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

/** An operator must never mistake old numbers for current ones, and must not have to reload the page. */
describeWithBrowser("Operate's live status", () => {
  let operate: OperateWorld;

  beforeAll(async () => {
    operate = await openOperate({ statusIntervalMilliseconds: STATUS_MILLISECONDS });
  });
  afterAll(async () => await operate?.close());

  const serve = async (options: Parameters<OperateWorld['world']['build']>[0], port = 0) => {
    const server: FastifyInstance = await operate.world.build(options);
    return { server, origin: await server.listen({ host: '127.0.0.1', port }) };
  };
  const openAt = async (origin: string, secret = TOKEN) =>
    (await openTab(operate.browser, `${origin}/`, { secret, maxWaitMilliseconds: WAIT.timeout })).page;

  it('names the cause while the server cannot read the status, and the time of the last one', async () => {
    const { page } = await operate.open();
    await liveMark(page).waitFor();
    await expect.poll(async () => await health(page).innerText()).toMatch(/^Ready/);
    const { owner } = operate.world.pipeline;
    await owner.query(`UPDATE log_source SET fault = 'It was created again.', fault_at = now()`);
    await expect
      .poll(async () => await health(page).innerText())
      .toBe('Not ready. A source has stopped or cannot be read. See the table of sources.');
    await owner.query('UPDATE log_source SET fault = NULL, fault_at = NULL');
    await expect.poll(async () => await health(page).innerText()).toMatch(/^Ready/);
    await owner.query('REVOKE SELECT ON source_warning FROM milepost_operator');
    try {
      await expect.poll(async () => await notice(page).count()).toBe(1);
      const words = await notice(page).innerText();
      expect(words).toMatch(/^Not live: as of \d\d:\d\d:\d\d UTC\. The server cannot read the status at the moment\.$/);
      expect(await page.getByRole('banner').getByText('Not live', { exact: true }).count()).toBe(1);
      expect(await liveMark(page).count()).toBe(0);
      expect(await health(page).innerText()).toBe('The health of the service is currently unknown.');
      const [, hours, minutes, seconds] = /(\d\d):(\d\d):(\d\d)/.exec(words) ?? [];
      const since = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
      const age = Math.floor(Date.now() / 1_000) - since;
      expect(((age % 86_400) + 86_400) % 86_400).toBeLessThan(60);
      // The time must be that of the last status rather than that of the last event.
      await expect.poll(async () => await page.evaluate<number>('performance.now()')).toBeGreaterThan(4_000);
      expect(await notice(page).innerText()).toBe(words);
    } finally {
      await owner.query('GRANT SELECT ON source_warning TO milepost_operator');
    }
    await liveMark(page).waitFor();
    expect(await notice(page).count()).toBe(0);
    await expect.poll(async () => await health(page).innerText()).toMatch(/^Ready/);
    await page.context().close();
  });

  it('names the status of a refusal, without a time when there was no status before', async () => {
    const { server, origin } = await serve({ statusIntervalMilliseconds: STATUS_MILLISECONDS });
    const stop = new AbortController();
    const streams = Array.from({ length: STREAMS }, async () => {
      const { headers, url } = requestOf('/events');
      return await fetch(`${origin}${url}`, {
        headers: { authorization: String(headers?.['authorization']) },
        signal: stop.signal,
      });
    });
    for (const { status } of await Promise.all(streams)) expect(status).toBe(200);
    const page = await openAt(origin);
    await notice(page).waitFor();
    expect(await notice(page).innerText()).toBe('Not live. The server answered with status 503.');
    expect(await page.getByText('Loading the status …').count()).toBe(1);
    stop.abort();
    await liveMark(page).waitFor();
    expect(await notice(page).count()).toBe(0);
    await page.context().close();
    await server.close();
  });

  it.concurrent('waits longer after each failure, and begins anew after a status', async ({ expect }) => {
    const { page } = await operate.open('#/keys');
    await liveMark(page).waitFor();
    const requests = streamRequests(page);
    let isCut = true;
    await page.route('**/events', async (route) => await (isCut ? route.abort() : route.continue()));
    const lost = Date.now();
    const restart = await operate.kill();
    await expect
      .poll(async () => await notice(page).allInnerTexts())
      .toEqual([expect.stringMatching(/^Not live: as of .* The server cannot be reached\.$/)]);
    await expect.poll(() => requests.length).toBe(2);
    await restart();
    isCut = false;
    await liveMark(page).waitFor();
    const [first = NaN, second = NaN, third = NaN] = requests;
    expect(first - lost).toBeGreaterThan(1_000 - TIMER_MARGIN_MILLISECONDS);
    expect(second - first).toBeGreaterThan(1_000 - TIMER_MARGIN_MILLISECONDS);
    expect(third - second).toBeGreaterThan(2_000 - TIMER_MARGIN_MILLISECONDS);
    const lostAgain = Date.now();
    await (await operate.kill())();
    await expect.poll(() => requests.length).toBe(4);
    // If this counted as a further failure in a row, the page would wait for four seconds.
    expect((requests[3] ?? NaN) - lostAgain).toBeLessThan(3_500);
    await liveMark(page).waitFor();
    await page.context().close();
  });

  it.concurrent('counts a connection without a status for ten seconds as lost, but not one with a slow status', async ({
    expect,
  }) => {
    const silent = await serve({ statusIntervalMilliseconds: NEVER_MILLISECONDS });
    const slow = await serve({ statusIntervalMilliseconds: SLOW_STATUS_MILLISECONDS });
    const [page, slowPage] = [await openAt(silent.origin), await openAt(slow.origin)];
    const requests = streamRequests(slowPage);
    await liveMark(page).waitFor();
    await liveMark(slowPage).waitFor();
    // One observation is enough for a lag, but not for a rate.
    expect(await page.locator('.figure .large').allInnerTexts()).toEqual([
      '– per second',
      '– per second',
      '– per second',
      '0.0 seconds',
    ]);
    await page.getByText(/^Not live: as of .* The server sent nothing for ten seconds\.$/).waitFor();
    expect(await page.evaluate<number>('performance.now()')).toBeGreaterThan(10_000);
    await liveMark(page).waitFor();
    await expect
      .poll(async () => await slowPage.evaluate<number>('performance.now()'))
      .toBeGreaterThan(2.2 * SLOW_STATUS_MILLISECONDS);
    await liveMark(slowPage).waitFor();
    expect(requests).toEqual([]);
    for (const { server } of [silent, slow]) await server.close();
    await Promise.all([page.context().close(), slowPage.context().close()]);
  });

  it('asks for another token when the server refuses it, and follows the status again with the right one', async () => {
    const old = await serve({ token: 'old-token-of-the-server' });
    const page = await openAt(old.origin, 'old-token-of-the-server');
    await liveMark(page).waitFor();
    await old.server.close();
    const { server } = await serve({}, Number(new URL(old.origin).port));
    await expect.poll(async () => await page.getByRole('alert').count()).toBe(1);
    expect(await page.getByRole('alert').innerText()).toMatch(/Enter another one\.$/);
    expect(await page.getByRole('alert').innerText()).toContain('Send exactly one Authorization header');
    expect(await page.getByRole('banner').getByText('Live').count()).toBe(0);
    await page.getByLabel("Operators' token").fill(TOKEN);
    await page.getByRole('button', { name: 'Enter', exact: true }).click();
    await liveMark(page).waitFor();
    const requests = streamRequests(page);
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await page.getByLabel("Operators' token").waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('status').allInnerTexts()).toEqual(['']);
    await server.close();
    expect(requests).toEqual([]);
    await page.context().close();
  });

  it('shows the rate of each stage, and draws the largest lag', async () => {
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
    await deliver(
      ingest,
      Array.from({ length: RECORDS }, (_, index) => `{broken ${index}`),
      'rates.trips',
    );
    await expect.poll(rates).toEqual([true, false, false]);
    const trips = Array.from({ length: RECORDS }, (_, index) => tripProcessed({ source_trip_id: `rate-${index}` }));
    await deliver(ingest, trips, 'rates.trips');
    await expect.poll(rates).toEqual([true, true, false]);
    await expect.poll(async () => await figure('Largest lag').innerText()).toMatch(/^[1-9][\d,]*\.\d seconds$/);
    // The lag is above zero, so its line is high up. Nothing is applied, so the other line is at the bottom.
    await expect.poll(async () => (await lineOf(page, 'Largest lag'))?.top).toBeLessThan(0.4);
    const applied = await lineOf(page, 'Events applied');
    expect(applied?.top).toBeGreaterThan(0.6);
    // The chart shows five minutes, and the observations are only some seconds old.
    expect(applied?.left).toBeGreaterThan(0.7);
    await projectAll(operate.world.pipeline);
    await expect.poll(rates).toEqual([true, true, true]);
    await expect.poll(async () => await figure('Largest lag').innerText()).toBe('0.0 seconds');
    await page.context().close();
  });
});
