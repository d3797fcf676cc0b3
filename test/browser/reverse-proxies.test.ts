import { afterAll, beforeAll, expect, it } from 'vitest';
import { EventReader } from '../../apps/console/operate/live/event-reader.ts';
import { describeWithBrowser } from '../support/console/browser.ts';
import { type ExploreWorld, openExplore } from '../support/console/explore.ts';
import { liveMark, type OperateWorld, openOperate } from '../support/console/operate.ts';
import { openTab } from '../support/console/tab.ts';
import { TOKEN } from '../support/ops.ts';
import { forEachProxy } from '../support/reverse-proxies.ts';

const WAIT = { maxWaitMilliseconds: 60_000 };
const portOf = (origin: string) => Number(new URL(origin).port);

describeWithBrowser('Milepost behind a reverse proxy that serves it under a path', () => {
  forEachProxy((open) => {
    let explore: ExploreWorld;
    let operate: OperateWorld;
    let proxy: Awaited<ReturnType<typeof open>>;

    beforeAll(async () => {
      proxy = await open(async (origin) => {
        explore = await openExplore({ publicUrl: `${origin}/reports` });
        operate = await openOperate({ publicUrl: `${origin}/operators` });
        return { '/reports': portOf(explore.origin), '/operators': portOf(operate.origin) };
      });
    });
    afterAll(async () => {
      await explore?.close();
      await operate?.close();
      await proxy?.close();
    });

    const request = async (path: string, headers: Record<string, string> = {}) =>
      await fetch(`${proxy.origin}${path}`, { headers });

    it('answers reports, and keeps percent-encoded ids', async () => {
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

    it.each([
      ['/reports/', '/reports/docs/'],
      ['/reports/docs', '/reports/docs/'],
      ['/reports/explore', '/reports/explore/'],
      ['/operators/docs', '/operators/docs/'],
    ])('redirects %s to %s', async (path, target) => {
      const answer = await request(path);
      expect([answer.status, answer.url]).toEqual([200, `${proxy.origin}${target}`]);
    });

    it('shows the reference, whose requests and links stay under the path', async () => {
      const { page, complaints } = await openTab(explore.browser, `${proxy.origin}/reports/docs/`, {
        ...WAIT,
        secret: null,
      });
      await page.getByText('The five endpoints.').first().waitFor();
      await page.getByText(`${proxy.origin}/reports`).first().waitFor();
      await page.getByRole('link', { name: 'closed list' }).first().click();
      await page.getByRole('link', { name: 'invalid_parameter' }).click();
      await page.getByRole('link', { name: 'All errors' }).click();
      await page.getByRole('link', { name: 'Reference' }).click();
      await page.waitForURL(`${proxy.origin}/reports/docs/`);
      // For a page without an icon, the browser requests one from the host's root, where Milepost is not served.
      expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
    });

    it('shows Explore with example requests that work when a reader copies them', async () => {
      const { page, complaints } = await openTab(explore.browser, `${proxy.origin}/reports/explore/`, {
        ...WAIT,
        secret: explore.key,
      });
      await page.getByRole('heading', { name: 'Drivers' }).waitFor();
      await page.getByRole('table').waitFor();
      await page.getByText('The request of this view').click();
      await page.getByText(`${proxy.origin}/reports/api/v1/drivers`).waitFor();
      expect(complaints).toEqual([]);
    });

    it('shows Operate with live data', async () => {
      const { page, complaints } = await openTab(explore.browser, `${proxy.origin}/operators/`, {
        ...WAIT,
        secret: TOKEN,
      });
      await liveMark(page).waitFor();
      expect(complaints).toEqual([]);
    });

    it('forwards each status of the stream of events immediately', async () => {
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
