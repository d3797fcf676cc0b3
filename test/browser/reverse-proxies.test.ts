import { afterAll, expect } from 'vitest';
import { EventReader } from '../../apps/console/operate/live/event-reader.ts';
import { describeWithBrowser, openTab } from '../support/console/browser.ts';
import { it, liveMark } from '../support/console/operate.ts';
import { TOKEN } from '../support/ops.ts';
import { forEachProxy } from '../support/reverse-proxies.ts';

const portOf = (origin: string) => Number(new URL(origin).port);

describeWithBrowser('Milepost behind a reverse proxy that serves it under a path', () => {
  forEachProxy((open) => {
    let proxy: Awaited<ReturnType<typeof open>>;

    it.beforeAll(async ({ explore, operate }) => {
      proxy = await open(async (origin) => {
        const reports = await explore.serve({ publicUrl: `${origin}/reports` });
        const operators = await operate.serve({ publicUrl: `${origin}/operators` });
        return { '/reports': portOf(reports), '/operators': portOf(operators.origin) };
      });
    });
    afterAll(async () => await proxy?.stop());

    const request = async (path: string, headers: Record<string, string> = {}) =>
      await fetch(`${proxy.origin}${path}`, { headers });

    it('serves reports, and keeps percent-encoded ids', async ({ explore }) => {
      const headers = { authorization: `APIKEY ${explore.key}`, 'content-type': 'application/json' };
      const drivers = await request('/reports/api/v1/drivers', headers);
      expect(drivers.status).toBe(200);
      const unknown = await request('/reports/api/v1/driver/a%2Fb%20c/trips?start_date=2020-13-01', headers);
      expect(unknown.status).toBe(400);
      const { type } = JSON.parse(await unknown.text());
      expect(type).toBe(`${proxy.origin}/reports/docs/errors/invalid_parameter`);
      const page = await fetch(type);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    });

    it('redirects to addresses under the path', async () => {
      for (const [path, target] of [
        ['/reports/', '/reports/docs/'],
        ['/reports/explore', '/reports/explore/'],
        ['/operators/docs', '/operators/docs/'],
      ] as const) {
        const answer = await request(path);
        expect([answer.status, answer.url]).toEqual([200, `${proxy.origin}${target}`]);
      }
    });

    it('shows the reference, whose requests and links stay under the path', async ({ browser }) => {
      const { page, complaints } = await openTab(browser, `${proxy.origin}/reports/docs/`, { secret: null });
      await page.getByText('The five endpoints.').first().waitFor();
      await page.getByText(`${proxy.origin}/reports`).first().waitFor();
      await page.getByRole('link', { name: 'closed list' }).first().click();
      await page.getByRole('link', { name: 'invalid_parameter' }).click();
      await page.getByRole('link', { name: 'All errors' }).click();
      await page.getByRole('link', { name: 'Reference' }).click();
      await page.waitForURL(`${proxy.origin}/reports/docs/`);
      // For a page without an icon, the browser requests one from the host's root, which does not lead to Milepost.
      expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
    });

    it('shows Explore with example requests that work when a reader copies them, and Operate with live data', async ({
      browser,
      explore,
    }) => {
      const { page, complaints } = await openTab(browser, `${proxy.origin}/reports/explore/`, { secret: explore.key });
      await page.getByRole('table').waitFor();
      await page.getByText('The request behind this view').click();
      await page.getByText(`${proxy.origin}/reports/api/v1/drivers`).waitFor();
      const operate = await openTab(browser, `${proxy.origin}/operators/`, { secret: TOKEN });
      await liveMark(operate.page).waitFor();
      await expect.poll(async () => (await request('/operators/readyz')).status).toBe(200);
      // On a busy machine, a check may exceed its limit of 800 ms, and the page then says so.
      const others = operate.complaints.filter((text) => !text.includes('503 (Service Unavailable)'));
      expect([...complaints, ...others]).toEqual([]);
    });

    it('immediately forwards each status in the event stream', async () => {
      const stop = new AbortController();
      const response = await fetch(`${proxy.origin}/operators/events`, {
        headers: { authorization: `Bearer ${TOKEN}` },
        signal: stop.signal,
      });
      const reader = new EventReader();
      const names: string[] = [];
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        names.push(...reader.read(piece).map((event) => event.name));
        if (names.length >= 2) break;
      }
      stop.abort();
      expect(names).toEqual(['status', 'status']);
    });
  });
});
